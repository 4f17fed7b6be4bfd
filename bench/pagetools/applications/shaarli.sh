#!/usr/bin/env bash
# Shaarli (French): forty bookmarks with tags. Debian: shaarli, fonts-fork-awesome, php-cli, php-cgi.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

# Its paths are those of the package; each run has its own.
site() {
  cp -rL /usr/share/shaarli/. "$1" && mkdir -p "$1"/{data,cache,pagecache,tmp} && chmod 700 "$1"
  grep -rlE '/(usr/share|var/lib|var/cache)/shaarli' "$1" --include='*.php' |
    xargs sed -i -E "s#/(usr/share|var/lib|var/cache)/shaarli#$1#g"
}

data() {
  cat <<'PHP'
<?php
chdir($argv[1]); require "autoload.php";
foreach (["Utils", "http/UrlUtils", "http/HttpUtils", "config/ConfigPlugin", "bookmark/LinkUtils"] as $part) require_once "application/$part.php";
$config = new Shaarli\Config\ConfigManager(); $config->set("translation.language", "fr"); new Shaarli\Languages("fr", $config);
$settings = ["credentials.login" => "ada", "credentials.salt" => "bench", "credentials.hash" => sha1("orchard-2025" . "ada" . "bench"),
  "general.title" => "Signets du verger", "general.header_link" => "/", "general.timezone" => "Europe/Paris", "general.links_per_page" => 20,
  "general.retrieve_description" => false, "general.enable_async_metadata" => false, "updates.check_updates" => false,
  "thumbnails.mode" => "none", "security.session_protection_disabled" => true];
foreach ($settings as $name => $value) $config->set($name, $value);
$config->write(true);
file_put_contents("mutex", "");
$service = new Shaarli\Bookmark\BookmarkFileService($config, new Shaarli\History($config->get("resource.history")),
  new malkusch\lock\mutex\FlockMutex(fopen("mutex", "r"), 2), true);
foreach ($service->search([], "all") as $welcome) $service->remove($welcome, false);
$topics = ["verger", "cuisine", "musique", "voyage"];
for ($n = 1; $n <= 40; $n++) {
  $bookmark = new Shaarli\Bookmark\Bookmark();
  $bookmark->setTitle("Article $n sur le thème " . $topics[$n % 4]); $bookmark->setUrl("http://127.0.0.1:9/article/$n");
  $bookmark->setDescription("Notes de lecture numéro $n."); $bookmark->setTagsString($topics[$n % 4] . ($n % 3 ? "" : " à-lire"));
  $bookmark->setPrivate($n % 5 === 0); $bookmark->setCreated(new DateTime(sprintf("2025-%02d-%02d 09:30:00", 1 + intdiv($n, 20), 1 + $n % 20)));
  $service->add($bookmark, false);
}
$service->save();
PHP
}

install() {
  need php-cli php-cgi fonts-fork-awesome shaarli
  rm -rf "$FOLDER/seed" "$FOLDER/site" && mkdir -p "$FOLDER/site" && site "$FOLDER/site"
  data >"$FOLDER/data.php" && php -d display_errors=0 "$FOLDER/data.php" "$FOLDER/site"
  mkdir "$FOLDER/seed" && mv "$FOLDER/site/data" "$FOLDER/seed" && rm -r "$FOLDER/site"
}

serve() {
  site "$STATE" && cp -r "$FOLDER/seed/data/." "$STATE/data" && sed -i "s#\\\\/#/#g; s#$FOLDER/site#$STATE#g" "$STATE/data/config.json.php"
  # What is no file is for index.php, as .htaccess says.
  echo '<?php if (is_file(__DIR__ . parse_url($_SERVER["REQUEST_URI"], PHP_URL_PATH))) return false;
    $_SERVER["SCRIPT_NAME"] = "/index.php"; require __DIR__ . "/index.php";' >"$STATE/router.php"
  cd "$STATE" && exec php -d display_errors=0 -S "127.0.0.1:$PORT" -t "$STATE" router.php
}

"$1"
