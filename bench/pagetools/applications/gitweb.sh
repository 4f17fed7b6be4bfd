#!/usr/bin/env bash
# gitweb (English): browses two small repositories. Debian: gitweb, libcgi-pm-perl.
# FOLDER: what is installed. STATE: what one run may change. PORT: where it listens.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

commit() {
  local day=$1 name=$2 subject=$3
  shift 3
  git add -A
  GIT_AUTHOR_DATE="2025-03-${day}T10:00:00Z" GIT_COMMITTER_DATE="2025-03-${day}T10:00:00Z" \
    git -c "user.name=$name" -c user.email=dev@example.org commit -q -m "$subject"
}

fill() {
  mkdir -p "$1" && cd "$1" && git init -q -b main . && echo "$2" >.git/description
  echo "# $3" >README.md && commit 01 "Ada Lane" "Begin $3"
  mkdir src && echo 'int main(void) { return 0; }' >src/main.c && commit 02 "Ben Ortiz" "Add a main function"
  git tag -a v0.1 -m "First release" 2>/dev/null || git -c user.name=Ada -c user.email=a@example.org tag -a v0.1 -m "First release"
  for n in $(seq 10 28); do
    echo "line $n" >>"src/notes.txt" && commit "$n" "Ada Lane" "Note number $n"
  done
  git branch experiment HEAD~3
}

install() {
  need git gitweb libcgi-pm-perl
  rm -rf "$FOLDER/seed" && mkdir -p "$FOLDER/seed/repositories"
  (fill "$FOLDER/seed/repositories/orchard" "Plans for an orchard" "orchard")
  (fill "$FOLDER/seed/repositories/kettle" "Firmware of a kettle" "kettle")
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && mkdir -p "$STATE/cgi-bin"
  chmod 755 "$STATE" # Python's server lets nobody run it
  ln -s /usr/share/gitweb/static "$STATE/static"
  printf '#!/bin/sh\nexport GITWEB_CONFIG=%s/gitweb.conf\nexec /usr/share/gitweb/gitweb.cgi\n' "$STATE" >"$STATE/cgi-bin/gitweb.cgi"
  chmod +x "$STATE/cgi-bin/gitweb.cgi"
  cat >"$STATE/gitweb.conf" <<CONF
\$projectroot = "$STATE/repositories";
@stylesheets = ("/static/gitweb.css"); \$logo = "/static/git-logo.png"; \$javascript = "/static/gitweb.js";
\$feature{'search'}{'default'} = [1]; \$feature{'grep'}{'default'} = [1]; \$feature{'pickaxe'}{'default'} = [1];
CONF
  git config --global --get-all safe.directory >/dev/null 2>&1 || export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
  cd "$STATE" && exec python3 -m http.server --cgi --bind 127.0.0.1 "$PORT"
}

"$1"
