#!/usr/bin/env bash
# Roundcube (Russian): a mailbox in Dovecot, and contacts. Debian: roundcube-core, roundcube-sqlite3,
# roundcube-plugins, dovecot-imapd, php-cli, php-sqlite3, sqlite3.
set -euo pipefail
export LC_ALL=C.UTF-8
source "$(dirname "$0")/debian.sh"

# Dovecot serves nobody as root: there, its own users have the mail.
owner=$(id -un) login=$(id -un)
[ "$(id -u)" -ne 0 ] || { owner=dovecot login=dovenull; }

dovecot_settings() {
  cat <<CONF
protocols = imap
base_dir = $1/run
state_dir = $1/run
log_path = $1/dovecot.log
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
default_internal_user = $owner
default_internal_group = $(id -gn "$owner")
default_login_user = $login
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:$1/mail
service imap-login {
  chroot =
  inet_listener imap {
    port = $2
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
passdb {
  driver = static
  args = password=orchard-2025
}
userdb {
  driver = static
  args = uid=$owner gid=$(id -gn "$owner") home=$1/mail
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Drafts {
    special_use = \Drafts
    auto = subscribe
  }
  mailbox Sent {
    special_use = \Sent
    auto = subscribe
  }
  mailbox Trash {
    special_use = \Trash
    auto = subscribe
  }
  mailbox Сад {
    auto = subscribe
  }
}
CONF
}

roundcube_settings() {
  cat <<PHP
<?php
\$config = ["db_dsnw" => "sqlite:///$1/base.db?mode=0646", "imap_host" => "127.0.0.1:$2", "smtp_host" => "127.0.0.1:9", "language" => "ru_RU",
  "des_key" => "orchard-orchard-orchard-", "product_name" => "Почта сада", "plugins" => ["archive", "markasjunk"], "skin" => "elastic", "log_dir" => "$1/logs",
  "temp_dir" => "$1/temp", "enable_spellcheck" => false, "mime_param_folding" => 0, "mail_domain" => "example.org", "drafts_mbox" => "Drafts", "sent_mbox" => "Sent",
  "trash_mbox" => "Trash", "junk_mbox" => "", "layout" => "widescreen", "mail_pagesize" => 25, "session_lifetime" => 120, "ip_check" => false, "check_all_folders" => false];
PHP
}

letters() {
  local subjects=("Счёт за саженцы" "План посадок" "Встреча в четверг" "Рецепт варенья")
  mkdir -p "$1"/{cur,new,tmp}
  for n in $(seq 1 36); do
    printf '%s\n' "From: =?utf-8?b?$(printf 'Анна %s' "$((n % 5))" | base64)?= <anna$((n % 5))@example.org>" "To: Ada <ada@example.org>" \
      "Subject: =?utf-8?b?$(printf '%s %s' "${subjects[n % 4]}" "$n" | base64)?=" "Date: $(printf '%02d' $((n % 28 + 1))) Mar 2025 10:00:00 +0000" \
      "Message-ID: <$n@example.org>" "MIME-Version: 1.0" "Content-Type: text/plain; charset=utf-8" "" "Письмо номер $n." >"$1/cur/17400$(printf '%02d' "$n").$n.sad:2,$( ((n % 3)) && echo S)"
  done
}

contacts() {
  echo "INSERT INTO users (user_id, username, mail_host, created, language) VALUES (1, 'ada', '127.0.0.1', '2025-03-01 10:00:00', 'ru_RU');"
  echo "INSERT INTO identities (user_id, standard, name, email) VALUES (1, 1, 'Ада Лейн', 'ada@example.org');"
  local names=("Борис Орлов" "Вера Белова" "Глеб Носов" "Дина Вайс" "Егор Новак" "Фатима Захра")
  for n in $(seq 0 5); do
    echo "INSERT INTO contacts (user_id, changed, name, email, firstname, surname, vcard, words) VALUES (1, '2025-03-01 10:00:00', '${names[n]}', 'friend$n@example.org', '${names[n]% *}', '${names[n]#* }', '', ' ${names[n],,} friend$n@example.org ');"
  done
  echo "INSERT INTO contactgroups (user_id, changed, name) VALUES (1, '2025-03-01 10:00:00', 'Соседи');"
}

install() {
  need dbconfig-no-thanks roundcube-core roundcube-sqlite3 roundcube-plugins dovecot-imapd php-cli php-sqlite3 sqlite3
  rm -rf "$FOLDER/seed" && mkdir -p "$FOLDER/seed" && letters "$FOLDER/seed/mail"
  sqlite3 "$FOLDER/seed/base.db" </usr/share/roundcube/SQL/sqlite.initial.sql && contacts | sqlite3 "$FOLDER/seed/base.db"
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && mkdir -p "$STATE"/{run,logs,temp,config}
  local imap
  imap=$(python3 -c 'import socket; one = socket.socket(); one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])')
  dovecot_settings "$STATE" "$imap" >"$STATE/dovecot.conf"
  roundcube_settings "$STATE" "$imap" >"$STATE/config/config.inc.php" && cp /etc/roundcube/{defaults.inc,mimetypes}.php "$STATE/config"
  [ "$(id -u)" -ne 0 ] || { chmod 711 "$STATE" && chown -R "$owner" "$STATE/mail"; }
  dovecot -F -c "$STATE/dovecot.conf" &
  export ROUNDCUBE_CONFIG_DIR="$STATE/config"
  cd /var/lib/roundcube && PHP_CLI_SERVER_WORKERS=4 exec php -d display_errors=0 -S "127.0.0.1:$PORT" -t /var/lib/roundcube
}

"$1"
