#!/usr/bin/env bash
# Redmine (Portuguese of Brazil): two projects with issues. Debian: redmine, redmine-sqlite, ruby-webrick.
set -euo pipefail
source "$(dirname "$0")/debian.sh"
export RAILS_ENV=production X_DEBIAN_SITEID=default RUBYOPT=-W0

data() {
  cat <<'RUBY'
Setting.default_language = "pt-BR"; Setting.force_default_language_for_anonymous = "1"
Setting.force_default_language_for_loggedin = "1"; Setting.rest_api_enabled = "0"
admin = User.find_by_login("admin")
admin.password = admin.password_confirmation = "orchard-2025"; admin.must_change_passwd = false
admin.language = "pt-BR"; admin.save!(validate: false)
developer = User.new(firstname: "Beatriz", lastname: "Lima", mail: "b@example.org", language: "pt-BR")
developer.login = "beatriz"; developer.password = "orchard-2025"; developer.save!
%w[pomar chaleira].each_with_index do |name, at|
  project = Project.create!(name: name.capitalize, identifier: name, description: "Projeto #{name}",
    tracker_ids: Tracker.pluck(:id), enabled_module_names: %w[issue_tracking time_tracking news wiki calendar documents])
  Member.create!(project: project, principal: admin, roles: [Role.givable.first])
  Member.create!(project: project, principal: developer, roles: [Role.givable.second])
  Version.create!(project: project, name: "1.0"); IssueCategory.create!(project: project, name: "Servidor")
  (1..(at.zero? ? 32 : 2)).each do |n|
    Issue.create!(project: project, tracker: Tracker.all[n % 3], author: admin, subject: "Tarefa #{n} do #{name}",
      priority: IssuePriority.all[n % 4], status: IssueStatus.all[n % 2], description: "Descrever #{n}")
  end
  News.create!(project: project, author: admin, title: "Colheita do #{name}", description: "Tudo maduro.")
end
RUBY
}

install() {
  need dbconfig-no-thanks redmine redmine-sqlite ruby-webrick
  mkdir -p "$FOLDER/seed" && rm -f "$FOLDER/seed/redmine.db" && cd /usr/share/redmine
  export DATABASE_URL="sqlite3:$FOLDER/seed/redmine.db"
  ./bin/rake db:migrate >/dev/null && REDMINE_LANG=pt-BR ./bin/rake redmine:load_default_data >/dev/null
  data >"$FOLDER/data.rb" && ./bin/rails runner "$FOLDER/data.rb"
}

serve() {
  cp "$FOLDER/seed/redmine.db" "$STATE" && cd /usr/share/redmine
  export DATABASE_URL="sqlite3:$STATE/redmine.db"
  # Its bundle has no server; Ruby's own is beside it.
  RUBYLIB=$(ruby -e 'require "webrick"; puts File.dirname($LOADED_FEATURES.grep(%r{/webrick.rb}).first)')
  export RUBYLIB
  exec ./bin/rails server -u webrick -b 127.0.0.1 -p "$PORT" -P "$STATE/server.pid"
}

"$1"
