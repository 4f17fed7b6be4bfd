#!/usr/bin/env bash
# Adminer (French): tables of a small library in SQLite. Debian: adminer, php-cli, php-sqlite3.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

install() {
  need php-cli php-sqlite3
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -d root || { apt-get download adminer && dpkg-deb -x adminer_*.deb root; }
  rm -rf seed && mkdir seed && php -r '
    $base = new PDO("sqlite:seed/library.db");
    $base->exec("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, country TEXT)");
    $base->exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES author(id), year INTEGER, price NUMERIC, lent INTEGER DEFAULT 0)");
    $base->exec("CREATE TABLE loan (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book(id), reader TEXT, since TEXT)");
    $base->exec("CREATE INDEX book_year ON book(year)");
    $base->exec("CREATE VIEW recent AS SELECT title, year FROM book WHERE year > 1990");
    $who = ["Ada Lane", "Ben Ortiz", "Chidi Okafor", "Dina Weiss", "Emil Novak", "Fatima Zahra"];
    foreach ($who as $i => $name) $base->exec("INSERT INTO author VALUES (" . ($i + 1) . ", \"$name\", " . (1920 + 9 * $i) . ", \"" . ["FR", "ES", "NG", "DE", "CZ", "MA"][$i] . "\")");
    for ($i = 1; $i <= 120; $i++) $base->exec("INSERT INTO book VALUES ($i, \"Volume $i\", " . ($i % 6 + 1) . ", " . (1940 + $i % 80) . ", " . (5 + $i % 20) . ".5, " . ($i % 2) . ")");
    for ($i = 1; $i <= 9; $i++) $base->exec("INSERT INTO loan VALUES ($i, $i, \"Reader $i\", \"2025-02-0$i\")");'
}

serve() {
  cp -r "$FOLDER/root/usr/share/adminer/." "$STATE" && cp "$FOLDER/seed/library.db" "$STATE/adminer"
  cat >"$STATE/index.php" <<'PHP'
<?php
$_SERVER["HTTP_ACCEPT_LANGUAGE"] = "fr";
function adminer_object() {
  class AdminerWithoutPassword extends Adminer {
    function login($login, $password) { return true; }
  }
  return new AdminerWithoutPassword;
}
chdir(__DIR__ . "/adminer");
include "./index.php";
PHP
  test -e "$STATE/adminer/index.php" || sed -i 's#^chdir.*##; s#include "./index.php"#include "./adminer.php"#' "$STATE/index.php"
  cd "$STATE" && exec php -d error_reporting=0 -S "127.0.0.1:$PORT" -t "$STATE"
}

"$1"
