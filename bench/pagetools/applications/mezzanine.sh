#!/usr/bin/env bash
# Mezzanine (Spanish): a public site with a blog, comments, ratings and a contact form. PyPI: mezzanine.
set -euo pipefail

data() {
  cat <<'PYTHON'
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils.timezone import now
from mezzanine.blog.models import BlogCategory, BlogPost
from mezzanine.conf import settings
from mezzanine.forms.models import Field, Form
from mezzanine.generic.models import ThreadedComment
from mezzanine.pages.models import RichTextPage
ada = User.objects.create_superuser("ada", "ada@example.org", "orchard-2025")
kinds = [BlogCategory.objects.create(title=title) for title in ("Huerto", "Cocina")]
for n in range(1, 19):
    post = BlogPost.objects.create(title=f"Artículo {n} del huerto", content=f"<p>Texto número {n}.</p>", user=ada, publish_date=now() - timedelta(days=n))
    post.categories.add(kinds[n % 2]); post.keywords_string = "manzana"
    if n % 2:
        ThreadedComment.objects.create(content_object=post, user_name=f"Lector {n}", comment=f"Muy bien {n}", is_public=True, site_id=1, submit_date=now())
RichTextPage.objects.create(title="Nuestra historia", content="<p>Desde 1950.</p>")
form = Form.objects.create(title="Pedido de semillas", content="<p>Rellene todo.</p>", button_text="Enviar pedido", response="<p>Gracias por su pedido.</p>")
for order, (label, kind, choices) in enumerate([("Nombre", 1, ""), ("Correo", 3, ""), ("Semilla", 5, "Tomate,Pepino,Calabaza"), ("Cantidad", 13, ""), ("Notas", 2, "")]):
    Field.objects.create(form=form, label=label, field_type=kind, choices=choices, required=label != "Notas", _order=order)
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/python || { python3 -m venv venv && venv/bin/pip install -q mezzanine setuptools; }
  rm -rf huerto seed && mkdir seed && venv/bin/mezzanine-project huerto && cd huerto
  cat >huerto/local_settings.py <<'PYTHON'
import os
SECRET_KEY = NEVERCACHE_KEY = "bench"; DEBUG = True; ALLOWED_HOSTS = ["*"]; LANGUAGE_CODE = "es"; LANGUAGES = (("es", "Español"),); USE_I18N = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["BASE"]}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"; COMMENTS_DEFAULT_APPROVED = True; BLOG_POST_PER_PAGE = 5
DEFAULT_FROM_EMAIL = "site@example.org"; COMMENTS_ACCOUNT_REQUIRED = False
PYTHON
  export BASE="$FOLDER/seed/base.db"
  ../venv/bin/python manage.py migrate -v 0 && ../venv/bin/python manage.py shell <<<"
from django.contrib.sites.models import Site
Site.objects.update_or_create(id=1, defaults={'domain': 'localhost', 'name': 'Huerto'})" && data | ../venv/bin/python manage.py shell
}

serve() {
  cp "$FOLDER/seed/base.db" "$STATE" && export BASE="$STATE/base.db"
  cd "$FOLDER/huerto" && exec "$FOLDER/venv/bin/python" manage.py runserver --noreload "127.0.0.1:$PORT"
}

"$1"
