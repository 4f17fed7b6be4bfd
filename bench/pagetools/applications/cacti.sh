#!/usr/bin/env bash
# Cacti (Dutch): devices, sites and users of a garden that is watched. Debian: cacti, mariadb-server-core, php-cli, php-mysql.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

database() {
  mariadbd --no-defaults --datadir="$1" --socket="$2" --skip-networking --user="$(id -un)" --pid-file="$1/pid" \
    --innodb-buffer-pool-size=64M --innodb-log-file-size=8M --character-set-server=utf8mb4 --collation-server=utf8mb4_unicode_ci --log-error="$1/log" &
  for _ in $(seq 300); do
    mariadb-admin --no-defaults --socket="$2" -u root ping >/dev/null 2>&1 && return
    sleep 0.1
  done
  exit 1
}

data() {
  cat /usr/share/cacti/conf_templates/cacti.sql
  cat <<SQL
UPDATE version SET cacti = '$(cat /usr/share/cacti/site/include/cacti_version)';
REPLACE INTO settings VALUES ('i18n_language_support', '1'), ('i18n_default_language', 'nl-NL'), ('i18n_auto_detection', '0'), ('rrdtool_version', '1.7.2'),
  ('poller_enabled', ''), ('secpass_forceold', ''), ('install_eula', '1'), ('num_rows_table', '20');
UPDATE user_auth SET username = 'ada', full_name = 'Ada', password = MD5('orchard-2025'), must_change_password = '', login_opts = 1 WHERE id = 1;
INSERT INTO user_auth (username, password, full_name, email_address, enabled) VALUES
  ('ben', MD5('orchard-2025'), 'Ben', 'ben@example.org', 'on'), ('cleo', MD5('orchard-2025'), 'Cleo', 'cleo@example.org', 'on'), ('dirk', MD5('orchard-2025'), 'Dirk', 'dirk@example.org', '');
DELETE FROM sites;
INSERT INTO sites (id, name, city, state, country, notes) SELECT seq, CONCAT(ELT(seq, 'Moestuin', 'Kas', 'Boomgaard', 'Vijver'), ' ', 'Noord'), ELT(seq, 'Gouda', 'Delft', 'Tiel', 'Ede'), '', 'Nederland', '' FROM seq_1_to_4;
INSERT INTO host_template (id, hash, name, class) VALUES (1, MD5('a'), 'Vochtmeter', 'other'), (2, MD5('b'), 'Weerstation', 'other'), (3, MD5('c'), 'Pomp', 'other');
INSERT INTO host (site_id, host_template_id, description, hostname, location, notes, snmp_community, snmp_version, availability_method, status, disabled)
  SELECT 1 + seq % 4, 1 + seq % 3, CONCAT(ELT(1 + seq % 3, 'Vochtmeter', 'Weerstation', 'Pomp'), ' ', seq), CONCAT('10.0.0.', seq), ELT(1 + seq % 2, 'Schuur', 'Hek'), CONCAT('Apparaat nummer ', seq), 'public', 2, 0,
  ELT(1 + seq % 4, 3, 3, 1, 3), IF(seq % 9 = 0, 'on', '') FROM seq_1_to_45;
INSERT INTO graph_tree (name, sequence, enabled) VALUES ('Zomertuin', 2, 'on'), ('Wintertuin', 3, '');
SQL
}

install() {
  need mariadb-server-core mariadb-client php php-cli php-mysql php-cgi dbconfig-no-thanks cacti
  rm -rf "$FOLDER/seed" "$FOLDER/new" && mkdir -p "$FOLDER/new/db"
  mariadb-install-db --no-defaults --datadir="$FOLDER/new/db" --user="$(id -un)" --auth-root-authentication-method=normal --innodb-log-file-size=8M >/dev/null 2>&1
  database "$FOLDER/new/db" "$FOLDER/new/socket"
  mariadb --no-defaults --socket="$FOLDER/new/socket" -u root -e "CREATE DATABASE cacti CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"
  data | mariadb --no-defaults --socket="$FOLDER/new/socket" -u root cacti
  mariadb-admin --no-defaults --socket="$FOLDER/new/socket" -u root shutdown
  wait
  mv "$FOLDER/new" "$FOLDER/seed"
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && database "$STATE/db" "$STATE/socket"
  # Of its links, the one to the package's settings leads nowhere.
  mkdir -p "$STATE/sessions" && cp -rL /usr/share/cacti/site "$STATE/site" 2>/dev/null || true
  mkdir -p "$STATE/site/log" "$STATE/site/cache" && touch "$STATE/site/log/cacti.log"
  mariadb --no-defaults --socket="$STATE/socket" -u root cacti -e "REPLACE INTO settings VALUES ('path_cactilog', '$STATE/site/log/cacti.log')"
  rm -f "$STATE/site/include/config.php" && cat >"$STATE/site/include/config.php" <<PHP
<?php
\$database_hostname = 'localhost'; \$database_default = 'cacti'; \$database_username = 'root'; \$database_password = ''; \$database_port = '3306';
\$poller_id = 1; \$url_path = '/'; \$disable_log_rotation = true; \$path_csrf_secret = '$STATE/secret.php';
PHP
  cd "$STATE/site" && PHP_CLI_SERVER_WORKERS=4 exec php -d display_errors=0 -d memory_limit=512M -d "pdo_mysql.default_socket=$STATE/socket" \
    -d "session.save_path=$STATE/sessions" -S "127.0.0.1:$PORT" -t "$STATE/site"
}

"$1"
