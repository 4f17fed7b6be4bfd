#!/usr/bin/env bash
# Postfix Admin (Chinese): domains, mailboxes and aliases of a mail server. Debian: dbconfig-no-thanks, postfixadmin, php-cli, php-mbstring, php-sqlite3.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

# Its paths and settings are those of the package; each run has its own, and asks no DNS.
site() {
  cp -rP /usr/share/postfixadmin/. "$1" && chmod 700 "$1" && cd "$1"
  rm -rf templates_c config.inc.php config.local.php && mkdir templates_c
  sed "s#dbconfig.inc.php#$1/database.php#" /etc/postfixadmin/config.inc.php >config.inc.php
  echo "<?php \$dbtype = 'sqlite'; \$dbname = '$1/base.db'; \$dbserver = \$dbuser = \$dbpass = '';" >database.php
  cat >config.local.php <<'PHP'
<?php
unset($_SERVER['HTTP_ACCEPT_LANGUAGE']); // else the browser's comes first
$CONF = array_merge($CONF, ['configured' => true, 'default_language' => 'cn', 'admin_email' => 'ada@orchard.example', 'emailcheck_resolve_domain' => 'NO',
  'smtp_port' => '9', 'page_size' => '10', 'quota' => 'YES', 'vacation' => 'YES', 'vacation_domain' => 'autoreply.example', 'show_footer_text' => 'NO', 'password_expiration' => 'NO']);
foreach ($CONF['default_aliases'] as $name => $to) $CONF['default_aliases'][$name] = "$name@orchard.example";
PHP
}

data() {
  cat <<'PHP'
<?php
define("POSTFIXADMIN_CLI", 1); chdir("public"); ob_start(); require "upgrade.php"; ob_end_clean();
$base = new PDO("sqlite:" . __DIR__ . "/base.db"); $base->beginTransaction();
function put($table, $row) {
  global $base;
  $base->prepare("INSERT INTO $table (" . implode(", ", array_keys($row)) . ") VALUES (" . implode(", ", array_fill(0, count($row), "?")) . ")")->execute(array_values($row));
}
$when = fn($n) => ["created" => sprintf("2025-03-%02d 09:30:00", 1 + $n % 28), "modified" => sprintf("2025-04-%02d 16:00:00", 1 + $n % 28)];
$password = crypt("orchard-2025", '$1$bench001$');
put("admin", ["username" => "ada@orchard.example", "password" => $password, "superadmin" => 1] + $when(0));
put("admin", ["username" => "ben@orchard.example", "password" => $password, "superadmin" => 0] + $when(1));
put("domain", ["domain" => "ALL", "description" => "", "transport" => ""] + $when(0));
put("domain_admins", ["username" => "ada@orchard.example", "domain" => "ALL", "created" => $when(0)["created"]]);
put("domain_admins", ["username" => "ben@orchard.example", "domain" => "garden.example", "created" => $when(1)["created"]]);
foreach (["orchard" => "果园", "garden" => "花园", "kitchen" => "厨房", "library" => "图书馆", "museum" => "博物馆", "school" => "学校", "market" => "市场",
  "harbour" => "港口", "station" => "车站", "theatre" => "剧院", "hospital" => "医院", "bakery" => "面包店"] as $name => $text)
  put("domain", ["domain" => "$name.example", "description" => "{$text}的邮件", "aliases" => 80, "mailboxes" => 60, "maxquota" => 100, "quota" => 4096, "transport" => "virtual"] + $when(strlen($name)));
$fruits = ["apple" => "苹果", "pear" => "梨", "plum" => "李子", "cherry" => "樱桃", "peach" => "桃", "grape" => "葡萄", "lemon" => "柠檬"];
$kinds = ["sales" => "销售", "office" => "办公室", "shop" => "商店", "lab" => "实验室", "press" => "新闻"];
$n = 0;
foreach ($kinds as $kind => $what) foreach ($fruits as $fruit => $text) {
  $user = "$fruit.$kind"; $n++;
  put("mailbox", ["username" => "$user@orchard.example", "password" => $password, "name" => "$text$what", "maildir" => "orchard.example/$user/",
    "quota" => 50 * 1024000, "local_part" => $user, "domain" => "orchard.example", "active" => (int) ($n % 9 != 0)] + $when($n));
  put("alias", ["address" => "$user@orchard.example", "goto" => "$user@orchard.example", "domain" => "orchard.example"] + $when($n));
  put("log", ["timestamp" => $when($n)["created"], "username" => "ada@orchard.example (127.0.0.1)", "domain" => "orchard.example", "action" => "create_mailbox", "data" => "$user@orchard.example"]);
}
foreach ($fruits as $fruit => $text) foreach (["fans", "friends"] as $group)
  put("alias", ["address" => "$fruit.$group@orchard.example", "goto" => "$fruit.sales@orchard.example,$fruit.shop@orchard.example", "domain" => "orchard.example"] + $when(strlen($fruit)));
put("mailbox", ["username" => "rose@garden.example", "password" => $password, "name" => "玫瑰", "maildir" => "garden.example/rose/", "quota" => 50 * 1024000,
  "local_part" => "rose", "domain" => "garden.example"] + $when(3));
foreach (["rose" => "rose@garden.example", "flowers" => "rose@garden.example"] as $from => $to)
  put("alias", ["address" => "$from@garden.example", "goto" => $to, "domain" => "garden.example"] + $when(4));
put("alias_domain", ["alias_domain" => "bakery.example", "target_domain" => "kitchen.example"] + $when(5));
$base->commit();
PHP
}

install() {
  need dbconfig-no-thanks php-cli php-mbstring php-sqlite3 postfixadmin
  rm -rf "$FOLDER/seed" "$FOLDER/site" && mkdir -p "$FOLDER/site" && site "$FOLDER/site"
  touch base.db && data >data.php && php -d display_errors=stderr -d error_reporting=1 data.php
  mkdir "$FOLDER/seed" && mv base.db "$FOLDER/seed" && cd "$FOLDER" && rm -r site
}

serve() {
  site "$STATE" && cp "$FOLDER/seed/base.db" "$STATE" && mkdir sessions
  exec php -d display_errors=0 -d session.save_path="$STATE/sessions" -S "127.0.0.1:$PORT" -t "$STATE/public"
}

"$1"
