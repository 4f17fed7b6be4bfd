#!/usr/bin/env bash
# django-helpdesk (English): tickets, a knowledge base, follow-ups. PyPI: django-helpdesk.
set -euo pipefail
export DJANGO_SETTINGS_MODULE=site_settings

settings() {
  cat <<'PYTHON'
import os
SECRET_KEY = "bench"; DEBUG = True; ALLOWED_HOSTS = ["*"]; USE_TZ = True; SITE_ID = 1
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.sites",
    "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.admin", "django.contrib.humanize",
    "rest_framework", "helpdesk"]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
    "django.template.context_processors.debug", "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["BASE"]}}
ROOT_URLCONF = "site_urls"; STATIC_URL = "/static/"; MEDIA_ROOT = os.path.dirname(os.environ["BASE"]); MEDIA_URL = "/media/"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"; EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
LOGIN_URL = "/login/"; LOGIN_REDIRECT_URL = "/"; HELPDESK_TEAMS_MODE_ENABLED = False
HELPDESK_PUBLIC_TICKET_FORM_CLASS = "helpdesk.forms.PublicTicketForm"; HELPDESK_KB_ENABLED = True
PYTHON
}

data() {
  cat <<'PYTHON'
from django.contrib.auth.models import User
from helpdesk.models import KBCategory, KBItem, Queue, Ticket
ada = User.objects.create_superuser("ada", "ada@example.org", "orchard-2025")
User.objects.create_user("ben", "ben@example.org", "orchard-2025", is_staff=True)
queues = [Queue.objects.create(title=title, slug=title.lower(), allow_public_submission=True) for title in ("Network", "Printers")]
for n in range(1, 31):
    Ticket.objects.create(title=f"Problem {n} with the {'router' if n % 2 else 'printer'}", queue=queues[n % 2], submitter_email="guest@example.org",
        description=f"It stopped at step {n}.", priority=n % 5 + 1, status=1 if n % 4 else 4, assigned_to=ada if n % 3 == 0 else None)
shelf = KBCategory.objects.create(name="Printing", title="Printing", slug="printing", description="About printers", queue=queues[1])
for n in range(1, 5):
    KBItem.objects.create(category=shelf, title=f"Paper jam {n}", question=f"What to do about jam {n}?", answer=f"Open tray {n}.", enabled=True)
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/python || { python3 -m venv venv && venv/bin/pip install -q django-helpdesk; }
  settings >site_settings.py
  echo 'from django.urls import include, path
from django.contrib import admin
urlpatterns = [path("admin/", admin.site.urls), path("", include("helpdesk.urls", namespace="helpdesk"))]' >site_urls.py
  rm -rf seed && mkdir seed && export BASE="$FOLDER/seed/base.db" PYTHONPATH="$FOLDER"
  venv/bin/python -m django migrate -v 0 && data | venv/bin/python -m django shell
}

serve() {
  cp "$FOLDER/seed/base.db" "$STATE" && export BASE="$STATE/base.db" PYTHONPATH="$FOLDER"
  cd "$STATE" && exec "$FOLDER/venv/bin/python" -m django runserver --noreload "127.0.0.1:$PORT"
}

"$1"
