#!/usr/bin/env bash
# Tiny Tiny RSS (Italian): nine feeds with ninety articles in MariaDB. Debian: tt-rss, mariadb-server-core, php-cli, php-mysql.
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

data() {
  cat <<'SQL'
SET NAMES utf8;
UPDATE ttrss_users SET login = 'ada', full_name = 'Ada', email = 'ada@example.org', created = '2025-01-01', pwd_hash = CONCAT('SHA1:', SHA1('orchard-2025')) WHERE login = 'admin';
INSERT INTO ttrss_users (login, pwd_hash, access_level, email, created) VALUES ('ben', CONCAT('SHA1:', SHA1('orchard-2025')), 0, 'ben@example.org', '2025-02-01');
INSERT INTO ttrss_feed_categories (id, owner_uid, title, order_id) VALUES (1, 1, 'Giardino', 1), (2, 1, 'Cucina', 2), (3, 1, 'Scienza', 3);
INSERT INTO ttrss_feeds (id, owner_uid, title, cat_id, feed_url, site_url, order_id, last_updated, last_successful_update)
SELECT seq, 1, ELT(seq, 'Orto in città', 'Rose antiche', 'Il potatore', 'Pane e lievito', 'Cucina di casa', 'Formaggi', 'Cielo stellato', 'Uccelli e boschi', 'Quaderno vuoto'),
  CEIL(seq / 3), CONCAT('http://example.org/feed/', seq), CONCAT('http://example.org/', seq), seq, '2025-03-20', '2025-03-20' FROM seq_1_to_9;
INSERT INTO ttrss_entries (id, title, guid, link, updated, content, content_hash, date_entered, date_updated, author)
SELECT seq, CONCAT(ELT(1 + seq % 8, 'Uccelli', 'Pomodori', 'Rose', 'Potature', 'Pane', 'Minestre', 'Formaggi', 'Stelle'), ': appunto numero ', seq), CONCAT('appunto-', seq),
  CONCAT('http://example.org/appunto/', seq), '2025-03-01' + INTERVAL seq HOUR,
  CONCAT('<p>Questo è il testo dell''appunto ', seq, '.</p><p>Si parla di ', ELT(1 + seq % 4, 'terra', 'acqua', 'luce', 'tempo'), ' e di pazienza.</p>'),
  SHA1(seq), '2025-03-01' + INTERVAL seq HOUR, '2025-03-01' + INTERVAL seq HOUR, ELT(1 + seq % 3, 'Carla Neri', 'Dino Bassi', 'Elsa Conti') FROM seq_1_to_90;
INSERT INTO ttrss_user_entries (int_id, ref_id, uuid, feed_id, owner_uid, marked, published, tag_cache, label_cache, last_read, note, unread)
SELECT seq, seq, '', IF(seq % 8, seq % 8, 8), 1, seq % 15 = 0, seq = 40, IF(seq % 2, 'marzo', ''), '', IF(seq % 3, NULL, '2025-03-10'), IF(seq = 89, 'Da provare in aprile', NULL), seq % 3 > 0
  FROM seq_1_to_90;
INSERT INTO ttrss_tags (owner_uid, tag_name, post_int_id) SELECT 1, 'marzo', 2 * seq - 1 FROM seq_1_to_45;
INSERT INTO ttrss_labels2 (id, owner_uid, caption, fg_color, bg_color) VALUES (1, 1, 'Da leggere', '#ffffff', '#2255aa'), (2, 1, 'Ricette', '', '');
INSERT INTO ttrss_user_labels2 (label_id, article_id) SELECT 2, 4 + 8 * seq FROM seq_1_to_3;
INSERT INTO ttrss_filters2 (id, owner_uid, title, order_id) VALUES (1, 1, 'Stelle in evidenza', 1), (2, 1, 'Niente minestre', 2);
INSERT INTO ttrss_filters2_rules (filter_id, reg_exp, filter_type, match_on) VALUES (1, 'stelle', 1, '["0"]'), (2, 'minestre', 1, '["CAT:2"]');
INSERT INTO ttrss_filters2_actions (filter_id, action_id) VALUES (1, 3), (2, 2);
INSERT INTO ttrss_access_keys (access_key, feed_id, owner_uid) VALUES ('bench', '-1', 1), ('bench', '-2', 1), ('bench', '-4', 1), ('bench', '2', 1), ('bench', '4', 1);
SQL
}

install() {
  need mariadb-server-core mariadb-client php-cli php-mysql php-cgi dbconfig-no-thanks tt-rss
  rm -rf "$FOLDER/seed" "$FOLDER/new" && mkdir -p "$FOLDER/new/db"
  mariadb-install-db --no-defaults --datadir="$FOLDER/new/db" --user="$(id -un)" --auth-root-authentication-method=normal --innodb-log-file-size=8M >/dev/null 2>&1
  database "$FOLDER/new/db" "$FOLDER/new/socket"
  run() { mariadb --no-defaults --default-character-set=utf8 --socket="$FOLDER/new/socket" -u root "$@"; }
  run -e "CREATE DATABASE notizie CHARACTER SET utf8"
  run notizie </usr/share/tt-rss/schema/ttrss_schema_mysql.sql
  data | run notizie
  mariadb-admin --no-defaults --socket="$FOLDER/new/socket" -u root shutdown
  wait
  mv "$FOLDER/new" "$FOLDER/seed"
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && database "$STATE/db" "$STATE/socket"
  mkdir -p "$STATE/cache"/{export,feeds,images,js,simplepie,upload,starred-images} "$STATE/lock"
  cp -rL /usr/share/tt-rss/www "$STATE/site" 2>/dev/null || true
  rm -rf "$STATE/site/config.php" "$STATE/site/feed-icons" && mkdir "$STATE/site/feed-icons"
  # A feed is never fetched: no process updates any, and it asks nobody for newer versions of itself.
  cat >"$STATE/settings.php" <<PHP
<?php
foreach (['DB_TYPE' => 'mysql', 'DB_HOST' => 'localhost', 'DB_PORT' => '', 'DB_USER' => 'root', 'DB_NAME' => 'notizie', 'DB_PASS' => '',
  'SELF_URL_PATH' => 'http://127.0.0.1:$PORT/', 'LOCK_DIRECTORY' => '$STATE/lock', 'CACHE_DIR' => '$STATE/cache', 'CHECK_FOR_UPDATES' => false,
  'LOG_DESTINATION' => '', '_TRANSLATION_OVERRIDE_DEFAULT' => 'it_IT', '_SKIP_SELF_URL_PATH_CHECKS' => true] as \$name => \$value) define(\$name, \$value);
PHP
  # The rest is as the package has it.
  { cat "$STATE/settings.php"; grep -E "^\s*define\(" /etc/tt-rss/config.php |
    grep -vE "'(DB_[A-Z]+|SELF_URL_PATH|LOCK_DIRECTORY|CACHE_DIR|CHECK_FOR_UPDATES|LOG_DESTINATION)'"; } >"$STATE/site/config.php"
  # It does not want to be run by root, and asks for the user's number.
  cd "$STATE/site" && PHP_CLI_SERVER_WORKERS=4 exec php -d display_errors=0 -d disable_functions=posix_getuid \
    -d mysqli.default_socket="$STATE/socket" -d pdo_mysql.default_socket="$STATE/socket" -S "127.0.0.1:$PORT" -t "$STATE/site"
}

"$1"
