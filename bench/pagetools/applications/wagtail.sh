#!/usr/bin/env bash
# Wagtail's administration (Japanese) of a site of its own. PyPI: wagtail.
set -euo pipefail

data() {
  cat <<'PYTHON'
from django.contrib.auth.models import User
from wagtail.models import Page
from wagtail.contrib.redirects.models import Redirect
from home.models import HomePage
ada = User.objects.create_superuser("ada", "ada@example.org", "orchard-2025")
User.objects.create_user("ken", "ken@example.org", "orchard-2025", first_name="健", last_name="田中")
home = HomePage.objects.first()
for n in range(1, 24):
    home.add_child(instance=HomePage(title=f"果樹園 {n}", slug=f"orchard-{n}", live=bool(n % 5), owner=ada))
for n in range(1, 4):
    Redirect.objects.create(old_path=f"/old-{n}", redirect_link=f"/new-{n}")
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/python || { python3 -m venv venv && venv/bin/pip install -q wagtail; }
  rm -rf orchard seed && mkdir seed && venv/bin/wagtail start orchard >/dev/null && cd orchard
  cat >orchard/settings/local.py <<'PYTHON'
import os
LANGUAGE_CODE = "ja"; WAGTAIL_CONTENT_LANGUAGES = LANGUAGES = [("ja", "日本語")]; WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None; DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["BASE"]}}
MEDIA_ROOT = os.path.dirname(os.environ["BASE"])
PYTHON
  export BASE="$FOLDER/seed/base.db"
  ../venv/bin/python manage.py migrate -v 0 && data | ../venv/bin/python manage.py shell
}

serve() {
  cp "$FOLDER/seed/base.db" "$STATE" && export BASE="$STATE/base.db"
  cd "$FOLDER/orchard" && exec "$FOLDER/venv/bin/python" manage.py runserver --noreload "127.0.0.1:$PORT"
}

"$1"
