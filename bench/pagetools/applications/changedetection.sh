#!/usr/bin/env bash
# changedetection.io (English): watches of pages, tags, settings. PyPI: changedetection.io.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

start() {
  export DISABLE_VERSION_CHECK=true MINIMUM_SECONDS_RECHECK_TIME=100000 FETCH_WORKERS=1 LISTEN_HOST=127.0.0.1
  export ALLOW_IANA_RESTRICTED_ADDRESSES=true
  exec "$FOLDER/venv/bin/changedetection.io" -C -d "$1" -p "$2" -h 127.0.0.1
}

fill() {
  local site=http://127.0.0.1:$1 token
  for _ in $(seq 100); do curl -sf -o /dev/null "$site/" && break || sleep 0.3; done
  token=$(curl -s -c cookies "$site/imports/import" | grep -o 'name="csrf_token"[^>]*value="[^"]*"' | head -1 | sed 's/.*value="//; s/"//')
  curl -s -o /dev/null -b cookies --data-urlencode "csrf_token=$token" \
    --data-urlencode "urls=$(for n in $(seq 12); do echo "http://127.0.0.1:9/shop/item-$n orchard"; done)" "$site/imports/import"
}

install() {
  need curl
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/python || { python3 -m venv venv && venv/bin/pip install -q changedetection.io; }
  rm -rf seed && mkdir seed && port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  (start "$FOLDER/seed" "$port") >log 2>&1 &
  fill "$port" && sleep 5 && kill %1 && wait
}

serve() {
  cp -r "$FOLDER/seed" "$STATE/data" && cd "$STATE" && start "$STATE/data" "$PORT"
}

"$1"
