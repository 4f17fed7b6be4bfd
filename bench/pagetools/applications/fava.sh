#!/usr/bin/env bash
# Fava (Dutch): the accounts of a household over a year. PyPI: fava.
set -euo pipefail

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/fava || { python3 -m venv venv && venv/bin/pip install -q fava; }
  rm -rf seed && mkdir seed
  venv/bin/bean-example --seed 7 --date-begin 2024-01-01 --date-end 2025-03-31 -o example.beancount
  {
    echo '2024-01-01 custom "fava-option" "language" "nl"'
    echo '2024-01-01 query "vakantie" "SELECT date, payee, position WHERE account ~ '"'Vacation'"'"'
    sed 's/^option "title".*/option "title" "Huishouden"/' example.beancount
    for n in 1 2 3; do echo "2025-03-0$n event \"location\" \"Stad $n\""; done
  } >seed/huishouden.beancount
}

serve() {
  cp "$FOLDER/seed/huishouden.beancount" "$STATE"
  cd "$STATE" && exec "$FOLDER/venv/bin/fava" --host 127.0.0.1 --port "$PORT" huishouden.beancount
}

"$1"
