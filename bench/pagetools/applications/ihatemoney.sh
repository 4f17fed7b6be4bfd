#!/usr/bin/env bash
# I Hate Money (Italian): the shared expenses of a journey. PyPI: ihatemoney.
set -euo pipefail

data() {
  cat <<'PYTHON'
from datetime import date
from ihatemoney.models import Bill, Person, Project, db
from ihatemoney.run import create_app
from werkzeug.security import generate_password_hash
with create_app().app_context():
    db.create_all()
    project = Project(id="viaggio", name="Viaggio a Roma", contact_email="ada@example.org", password=generate_password_hash("orchard-2025"), default_currency="XXX")
    db.session.add(project)
    people = [Person(name=name, project=project, weight=1) for name in ("Ada", "Bruno", "Carla")]
    db.session.add_all(people); db.session.commit()
    for n in range(1, 13):
        db.session.add(Bill(amount=10.0 + n, date=date(2025, 3, n), what=f"Cena {n}", payer_id=people[n % 3].id, owers=people, original_currency="XXX", project_default_currency="XXX"))
    db.session.commit()
PYTHON
}

configure() {
  cat >"$1/settings.py" <<PYTHON
SQLALCHEMY_DATABASE_URI = "sqlite:///$1/base.db"; SQLALCHEMY_TRACK_MODIFICATIONS = False
SECRET_KEY = "bench"; MAIL_DEFAULT_SENDER = "site@example.org"; MAIL_SUPPRESS_SEND = True; SHOW_ADMIN_EMAIL = False
ACTIVATE_DEMO_PROJECT = False; ADMIN_PASSWORD = ""; ALLOW_PUBLIC_PROJECT_CREATION = True; ENABLE_CAPTCHA = False; SESSION_COOKIE_SECURE = False
BABEL_DEFAULT_LOCALE = "it"; BABEL_DEFAULT_TIMEZONE = "UTC"; SUPPORTED_LANGUAGES = ["it"]
PYTHON
  export IHATEMONEY_SETTINGS_FILE_PATH="$1/settings.py"
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/python || { python3 -m venv venv && venv/bin/pip install -q ihatemoney setuptools; }
  rm -rf seed && mkdir seed && configure "$FOLDER/seed" && data | venv/bin/python -
}

serve() {
  cp "$FOLDER/seed/base.db" "$STATE" && configure "$STATE"
  cd "$STATE" && exec "$FOLDER/venv/bin/flask" --app ihatemoney.wsgi run --host 127.0.0.1 --port "$PORT"
}

"$1"
