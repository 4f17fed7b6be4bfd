#!/usr/bin/env bash
# Trac (Turkish): tickets, milestones and a wiki of a project. PyPI: Trac.
set -euo pipefail

data() {
  cat <<'PYTHON'
import sys
from datetime import datetime, timedelta
from trac.env import Environment
from trac.ticket.model import Component, Milestone, Ticket
from trac.util.datefmt import utc
from trac.wiki.model import WikiPage
project = Environment(sys.argv[1])
for name in ("component1", "component2"):
    Component(project, name).delete()
for name in ("Sunucu", "Arayüz", "Belgeler"):
    part = Component(project); part.name = name; part.owner = "ada"; part.insert()
for name in ("milestone1", "milestone2", "milestone3", "milestone4"):
    Milestone(project, name).delete()
for n, name in enumerate(("İlkbahar", "Yaz"), 1):
    step = Milestone(project); step.name = name; step.due = datetime(2027, 3 * n, 1, tzinfo=utc); step.description = f"{name} sürümü"; step.insert()
begin = datetime(2025, 3, 1, 9, tzinfo=utc)
for n in range(1, 31):
    one = Ticket(project)
    one.populate({"summary": f"Bahçe sorunu {n}", "description": f"Sorun {n} için ayrıntılar.", "reporter": "ada", "owner": "ada" if n % 2 else "ben", "status": "new",
        "type": ("defect", "enhancement", "task")[n % 3], "priority": ("major", "minor", "critical")[n % 3], "component": ("Sunucu", "Arayüz", "Belgeler")[n % 3],
        "milestone": ("İlkbahar", "Yaz")[n % 2]})
    one.insert(begin + timedelta(days=n))
for name in ("Budama", "Sulama", "Hasat"):
    page = WikiPage(project, name); page.text = f"= {name} =\nBahçede {name.lower()} hakkında notlar."; page.save("ada", "ilk", begin)
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/tracd || { python3 -m venv venv && venv/bin/pip install -q Trac babel setuptools; }
  rm -rf seed new && venv/bin/trac-admin new initenv Bahçe sqlite:db/trac.db >/dev/null
  # It asks for passwords by HTTP alone; here everybody may do everything.
  venv/bin/trac-admin new permission add anonymous TRAC_ADMIN
  venv/bin/trac-admin new config set trac default_language tr
  venv/bin/trac-admin new config set trac default_date_format iso8601
  data | venv/bin/python - new
  mv new seed
}

serve() {
  cp -r "$FOLDER/seed" "$STATE/bahce"
  cd "$STATE" && exec "$FOLDER/venv/bin/tracd" -s --port "$PORT" --hostname 127.0.0.1 bahce
}

"$1"
