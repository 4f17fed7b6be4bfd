#!/usr/bin/env bash
# Spirit (Swedish): a forum of gardeners. PyPI: django-spirit.
set -euo pipefail
export DJANGO_SETTINGS_MODULE=forum.settings.bench

settings() {
  cat <<'PYTHON'
from .dev import *
LANGUAGE_CODE = "sv"; LANGUAGES = [("sv", "Svenska")]; TIME_ZONE = "UTC"; ST_SITE_URL = "http://127.0.0.1/"
DATABASES["default"]["NAME"] = os.environ["BASE"]
MEDIA_ROOT = os.path.dirname(os.environ["BASE"]); HAYSTACK_CONNECTIONS["default"]["PATH"] = os.path.join(MEDIA_ROOT, "index")
ST_RATELIMIT_ENABLE = False; ST_TASK_MANAGER = None; EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
PYTHON
}

data() {
  cat <<'PYTHON'
from datetime import datetime, timedelta, timezone
from django.contrib.auth.models import User
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic
ada = User.objects.create_superuser("ada", "ada@example.org", "orchard-2025")
ben = User.objects.create_user("ben", "ben@example.org", "orchard-2025")
Category.objects.filter(is_private=False).exclude(title="Uncategorized").delete()
parts = [Category.objects.create(title=title, description=f"Allt om {title.lower()}") for title in ("Frukt", "Verktyg", "Rosor")]
begin = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
for n in range(1, 31):
    day = begin + timedelta(days=n)
    topic = Topic.objects.create(user=(ada, ben)[n % 2], category=parts[n % 3], title=f"Fråga {n} om trädgården", date=day, last_active=day, comment_count=n % 4 + 1)
    for m in range(n % 4 + 1):
        text = f"Inlägg {m + 1} i fråga {n}."
        Comment.objects.create(user=(ben, ada)[(n + m) % 2], topic=topic, comment=text, comment_html=f"<p>{text}</p>", date=day + timedelta(hours=m))
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/spirit || { python3 -m venv venv && venv/bin/pip install -q django-spirit setuptools; }
  rm -rf seed new forum && mkdir new && PATH="$FOLDER/venv/bin:$PATH" spirit startproject forum >/dev/null
  settings >forum/forum/settings/bench.py
  export BASE="$FOLDER/new/base.db" && cd forum
  ../venv/bin/python manage.py migrate -v 0 && data | ../venv/bin/python manage.py shell >/dev/null
  ../venv/bin/python manage.py rebuild_index --noinput -v 0
  mv "$FOLDER/new" "$FOLDER/seed"
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && export BASE="$STATE/base.db"
  cd "$FOLDER/forum" && exec ../venv/bin/python manage.py runserver --noreload "127.0.0.1:$PORT"
}

"$1"
