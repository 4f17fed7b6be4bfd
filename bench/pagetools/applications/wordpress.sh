#!/usr/bin/env bash
# WordPress (German): a small blog in MariaDB. Debian: wordpress, wordpress-l10n,
# wordpress-theme-twentytwentythree, mariadb-server-core, php-cli, php-mysql.
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

site() {
  mkdir -p "$1" && for part in wordpress wordpress-l10n wordpress-theme-twentytwentythree; do
    cp -rL "$FOLDER/$part/usr/share/wordpress/." "$1" 2>/dev/null || true
  done
  cat >"$1/wp-config.php" <<PHP
<?php
define('DB_NAME', 'blog'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:$2');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', ''); define('WPLANG', 'de_DE');
define('AUTH_KEY', 'bench'); define('SECURE_AUTH_KEY', 'bench'); define('LOGGED_IN_KEY', 'bench'); define('NONCE_KEY', 'bench');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
if (isset(\$_SERVER['HTTP_HOST'])) { define('WP_HOME', 'http://' . \$_SERVER['HTTP_HOST']); define('WP_SITEURL', WP_HOME); }
\$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP
}

data() {
  cat <<'PHP'
<?php
define('WP_INSTALLING', true); $_SERVER['HTTP_HOST'] = 'localhost';
require $argv[1] . '/wp-load.php'; require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Gartenblog', 'gaertner', 'g@example.org', true, '', 'orchard-2025', 'de_DE');
update_option('WPLANG', 'de_DE'); update_option('posts_per_page', 5); update_option('template', 'twentytwentythree'); update_option('stylesheet', 'twentytwentythree');
update_user_meta(1, 'show_welcome_panel', 0);
$topics = ['Obst', 'Gemüse', 'Werkzeug'];
foreach ($topics as $name) wp_insert_term($name, 'category');
for ($n = 1; $n <= 24; $n++) {
  $post = wp_insert_post(['post_title' => "Beitrag $n über Äpfel", 'post_content' => "Text Nummer $n.", 'post_status' => $n % 8 ? 'publish' : 'draft',
    'post_author' => 1, 'post_date' => sprintf('2025-02-%02d 10:00:00', $n), 'post_category' => [get_term_by('name', $topics[$n % 3], 'category')->term_id]]);
  if ($n % 3 == 0) wp_insert_comment(['comment_post_ID' => $post, 'comment_author' => "Leser $n", 'comment_content' => "Schöner Beitrag $n", 'comment_approved' => $n % 2]);
}
foreach (['Über uns', 'Anfahrt'] as $name) wp_insert_post(['post_title' => $name, 'post_type' => 'page', 'post_status' => 'publish', 'post_content' => "Seite $name"]);
wp_insert_user(['user_login' => 'lena', 'user_pass' => 'orchard-2025', 'user_email' => 'lena@example.org', 'role' => 'author']);
PHP
}

install() {
  need mariadb-server-core mariadb-client php-cli php-mysql
  mkdir -p "$FOLDER" && cd "$FOLDER"
  for part in wordpress wordpress-l10n wordpress-theme-twentytwentythree; do
    test -d $part || { apt-get download $part && dpkg-deb -x ${part}_*.deb $part; }
  done
  rm -rf seed && mkdir -p seed/db && site "$FOLDER/seed/site" "$FOLDER/seed/socket"
  mariadb-install-db --no-defaults --datadir="$FOLDER/seed/db" --user="$(id -un)" --auth-root-authentication-method=normal --innodb-log-file-size=8M >/dev/null 2>&1
  database "$FOLDER/seed/db" "$FOLDER/seed/socket"
  mariadb --no-defaults --socket="$FOLDER/seed/socket" -u root -e 'CREATE DATABASE blog CHARACTER SET utf8mb4'
  data >data.php && php -d display_errors=0 data.php "$FOLDER/seed/site"
  mariadb-admin --no-defaults --socket="$FOLDER/seed/socket" -u root shutdown
  wait
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && site "$STATE/site" "$STATE/socket" && database "$STATE/db" "$STATE/socket"
  cd "$STATE/site" && PHP_CLI_SERVER_WORKERS=4 exec php -d display_errors=0 -S "127.0.0.1:$PORT" -t "$STATE/site"
}

"$1"
