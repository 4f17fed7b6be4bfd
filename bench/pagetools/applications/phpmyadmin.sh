#!/usr/bin/env bash
# phpMyAdmin (Polish): one database in MariaDB. Debian: phpmyadmin, mariadb-server-core, php-cli, php-mysql.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

database() {
  mariadbd --no-defaults --datadir="$1" --socket="$2" --skip-networking --user="$(id -un)" --pid-file="$1/pid" \
    --innodb-buffer-pool-size=64M --innodb-log-file-size=8M --log-error="$1/log" &
  for _ in $(seq 200); do
    mariadb-admin --no-defaults --socket="$2" -u root ping >/dev/null 2>&1 && return
    sleep 0.1
  done
  exit 1
}

install() {
  need mariadb-server-core mariadb-client php-cli php-mysql php-cgi dbconfig-no-thanks phpmyadmin
  rm -rf "$FOLDER/seed" && mkdir -p "$FOLDER/seed/db"
  mariadb-install-db --no-defaults --datadir="$FOLDER/seed/db" --user="$(id -un)" --auth-root-authentication-method=normal --innodb-log-file-size=8M >/dev/null 2>&1
  database "$FOLDER/seed/db" "$FOLDER/seed/socket"
  mariadb --no-defaults --socket="$FOLDER/seed/socket" -u root <<'SQL'
CREATE DATABASE sad CHARACTER SET utf8mb4; USE sad;
CREATE TABLE drzewo (id INT PRIMARY KEY AUTO_INCREMENT, nazwa VARCHAR(60) NOT NULL, rok INT, wysokosc DECIMAL(5,2));
CREATE TABLE zbior (id INT PRIMARY KEY AUTO_INCREMENT, drzewo_id INT, kilogramy INT, dzien DATE, FOREIGN KEY (drzewo_id) REFERENCES drzewo(id));
INSERT INTO drzewo (nazwa, rok, wysokosc) SELECT CONCAT('Jabłoń ', seq), 1960 + seq, seq / 10 FROM seq_1_to_60;
INSERT INTO zbior (drzewo_id, kilogramy, dzien) SELECT seq, seq * 3, '2025-09-01' FROM seq_1_to_2;
SQL
  mariadb-admin --no-defaults --socket="$FOLDER/seed/socket" -u root shutdown
  wait
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && database "$STATE/db" "$STATE/socket"
  mkdir -p "$STATE/temporary" && cp -rL /usr/share/phpmyadmin "$STATE/site" 2>/dev/null || true
  sed -i "s#/etc/phpmyadmin/#$STATE/site/#g; s#CONFIG_DIR \. '#'$STATE/site/#g" "$STATE/site/libraries/vendor_config.php"
  cat >"$STATE/site/config.inc.php" <<PHP
<?php
\$cfg['blowfish_secret'] = 'benchbenchbenchbenchbenchbench12'; \$cfg['Lang'] = 'pl'; \$cfg['VersionCheck'] = false; \$cfg['TempDir'] = '$STATE/temporary';
\$cfg['Servers'][1] = ['auth_type' => 'config', 'host' => 'localhost', 'socket' => '$STATE/socket', 'user' => 'root', 'password' => '', 'AllowNoPassword' => true];
PHP
  cd "$STATE/site" && PHP_CLI_SERVER_WORKERS=4 exec php -d display_errors=0 -S "127.0.0.1:$PORT" -t "$STATE/site"
}

"$1"
