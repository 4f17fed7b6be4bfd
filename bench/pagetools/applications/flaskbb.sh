#!/usr/bin/env bash
# FlaskBB (Spanish): a forum of gardeners, with private messages. PyPI: flaskbb.
set -euo pipefail

# It asks for libraries of 2018, of which some are no longer built; these are younger, and go with it.
libraries() {
  venv/bin/pip install -q "setuptools<70" wheel "Flask<1.1" "Werkzeug<0.17" "Jinja2<3" "MarkupSafe==2.0.1" "itsdangerous<1" "click<8" click-log \
    "SQLAlchemy<1.4" "SQLAlchemy-Utils<0.37" "Flask-SQLAlchemy<2.5" "WTForms<2.2" "Flask-WTF<0.15" "Flask-Login<0.5" "celery>=5.0,<5.1" \
    "Flask-Limiter<1.1" "limits<2" "Flask-Caching<1.5" "flask-whooshee<0.6" "mistune<2" "pluggy<0.7" "alembic<1.5" "Flask-Alembic<2.1" \
    "flask-allows==0.4.0" "Flask-BabelPlus==2.1.1" "Flask-DebugToolbar<0.11" "Flask-Mail<0.10" "Flask-Redis<0.4" "redis<4" "Flask-Themes2==0.1.4" \
    "Babel<2.10" attrs blinker Pillow Pygments python-dateutil pytz requests simplejson speaklater Unidecode
  venv/bin/pip install -q --no-deps flaskbb==2.0.2 flaskbb-plugin-conversations==1.0.2 flaskbb-plugin-portal==1.1.1
  local site; site="$(echo "$FOLDER"/venv/lib/python3*/site-packages)"
  sed -i '/^Requires-Dist/d' "$site"/FlaskBB-*.dist-info/METADATA "$site"/flaskbb_plugin_*.dist-info/METADATA
  # Names that Python no longer has there.
  echo 'import collections, collections.abc, inspect; inspect.getargspec = inspect.getfullargspec; vars(collections).update((name, getattr(collections.abc, name)) for name in collections.abc.__all__)' >"$site/sitecustomize.py"
}

settings() {
  cat <<'PYTHON'
import os
SQLALCHEMY_DATABASE_URI = "sqlite:///" + os.environ["BASE"] + "/base.db"
WHOOSHEE_DIR = os.environ["BASE"] + "/index"; USE_DEFAULT_LOGGING = False
SECRET_KEY = WTF_CSRF_SECRET_KEY = "bench"; RATELIMIT_ENABLED = False; CACHE_TYPE = "null"; CELERY_TASK_ALWAYS_EAGER = True; MAIL_PORT = 9
PYTHON
}

data() {
  cat <<'PYTHON'
import sys, uuid
from datetime import datetime, timedelta, timezone
from flaskbb import create_app
from flaskbb.extensions import db
from flaskbb.forum.models import Category, Forum, Post, Report, Topic
from flaskbb.management.models import Setting
from flaskbb.user.models import Group, User
from flaskbb.utils.populate import create_user
from conversations.models import Conversation, Message
app = create_app(sys.argv[1])
app.test_request_context().push()
Setting.update({"project_title": "Foro del huerto", "project_subtitle": "Preguntas y consejos", "default_language": "es"})
User.query.update({"language": "es"})
members = Group.query.filter_by(name="Member").one()
ada = User.query.filter_by(username="ada").one()
names = ("ben", "carla", "diego", "elena", "fermin", "gloria", "hugo", "irene", "julia", "kiko", "lola", "mario", "nuria", "oscar", "paula")
people = [User.create(username=name, password="orchard-2025", email=f"{name}@orchard.example", activated=True, language="es", primary_group_id=members.id) for name in names]
parts = {}
for place, (title, forums) in enumerate({"Plantas": ("Frutales", "Hortalizas", "Rosas"), "Lo demás": ("Herramientas", "Presentaciones")}.items(), 1):
    category = Category(title=title, description=f"Todo sobre {title.lower()}", position=place).save()
    for n, name in enumerate(forums, 1):
        parts[name] = Forum(title=name, description=f"Aquí se habla de {name.lower()}.", position=n, category_id=category.id).save()
begin = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
def talk(forum, title, count, day):
    topic = Topic(title=title).save(user=people[day % 15], forum=parts[forum], post=Post(content=f"{title}: ¿alguien me lo explica?"))
    for n in range(1, count):
        Post(content=f"Respuesta {n} a «{title}».").save(user=(ada, *people)[(day + n) % 16], topic=topic)
    for n, post in enumerate(topic.posts.order_by(Post.id)):
        post.date_created = begin + timedelta(days=day, hours=n)
        topic.last_updated = post.date_created
    topic.date_created = begin + timedelta(days=day)
    return topic
for n in range(1, 33):
    talk("Frutales", f"Duda {n} sobre manzanos", 25 if n == 32 else 1 + n % 4, n)
for n, what in enumerate(("tomates", "calabazas", "pepinos", "judías"), 40):
    talk("Hortalizas", f"Cómo regar {what}", 3, n)
talk("Herramientas", "Tijeras que cortan bien", 2, 50)
db.session.commit()
for forum in parts.values():
    forum.update_last_post()
for n, (subject, words) in enumerate((("Semillas", "¿Te sobran semillas de calabaza?"), ("Reunión", "¿Vienes el sábado?"))):
    shared = uuid.uuid4()
    Conversation(subject=subject, user_id=ada.id, from_user_id=people[n].id, to_user_id=ada.id, shared_id=shared, unread=False).save(
        message=Message(message=words, user_id=people[n].id))
Report(reason="Es publicidad.").save(post=Post.query.filter(Post.content.like("Respuesta 1 a «Duda 7 %")).first(), user=people[2])
db.session.commit()
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/flaskbb || { python3 -m venv venv && libraries; }
  rm -rf seed new && mkdir new && settings >settings.cfg && export BASE="$FOLDER/new" PATH="$FOLDER/venv/bin:$PATH"
  flaskbb --config "$FOLDER/settings.cfg" install -f -w -u ada -e ada@orchard.example -p orchard-2025 >/dev/null
  data | python - "$FOLDER/settings.cfg"
  mv new seed
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && export BASE="$STATE"
  cd "$STATE" && exec "$FOLDER/venv/bin/flaskbb" --config "$FOLDER/settings.cfg" run --host 127.0.0.1 --port "$PORT" --no-reload --no-debugger
}

"$1"
