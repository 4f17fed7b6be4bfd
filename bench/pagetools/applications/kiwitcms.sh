#!/usr/bin/env bash
# Kiwi TCMS (German): test cases, plans, runs and bugs of garden tools. PyPI: kiwitcms.
set -euo pipefail
export DJANGO_SETTINGS_MODULE=bench_settings

settings() {
  cat <<'PYTHON'
import inspect
# What it answers calls with was written for an older Python.
inspect.getargspec = inspect.getfullargspec
from tcms.settings.common import *
DEBUG = False; LANGUAGE_CODE = "de-de"; LANGUAGES = [("de-de", "Deutsch")]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["BASE"]}}
DEFAULT_PAGE_SIZE = 20
MEDIA_ROOT = os.path.join(os.path.dirname(os.environ["BASE"]), "uploads")
class NoMigrations(dict):
    """Its tables are made at once: all changes of ten years would take minutes."""
    __contains__ = lambda self, name: True
    __getitem__ = lambda self, name: None
MIGRATION_MODULES = NoMigrations()
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
PYTHON
}

data() {
  cat <<'PYTHON'
from datetime import datetime, timedelta
from django.contrib.auth.models import Group, User
from django.contrib.sites.models import Site
from django.core.management import call_command
from tcms.bugs.models import Bug, Severity
from tcms.management.models import Build, Classification, Component, Priority, Product, Tag, Version
from tcms.testcases.models import Category, TestCase, TestCaseStatus
from tcms.testplans.models import PlanType, TestPlan
from tcms.testruns.models import TestExecutionStatus, TestRun
# What its migrations would have made.
for name in ("PROPOSED", "CONFIRMED", "DISABLED", "NEED_UPDATE"):
    TestCaseStatus.objects.create(name=name, is_confirmed=name == "CONFIRMED")
for name, weight, icon, color in (("FAILED", -30, "times-circle-o", "#cc0000"), ("ERROR", -20, "minus-circle", "#cc0000"), ("BLOCKED", -10, "stop-circle-o", "#cc0000"),
        ("IDLE", 0, "question-circle-o", "#72767b"), ("PAUSED", 0, "pause-circle-o", "#72767b"), ("RUNNING", 0, "play-circle-o", "#72767b"),
        ("WAIVED", 10, "commenting-o", "#92d400"), ("PASSED", 20, "check-circle-o", "#92d400")):
    TestExecutionStatus.objects.create(name=name, weight=weight, icon=f"fa fa-{icon}", color=color)
for name in ("Unit", "Integration", "Function", "System", "Acceptance", "Performance"):
    PlanType.objects.create(name=name, description="")
for n in range(1, 6):
    Priority.objects.create(value=f"P{n}")
for weight, name in enumerate(("High", "Medium", "Low")):
    Severity.objects.create(name=name, weight=weight, icon="fa fa-flag", color="#cc0000")
for name in ("Administrator", "Tester"):
    Group.objects.create(name=name)
call_command("refresh_permissions", verbosity=0, interactive=False)
Site.objects.update(domain="127.0.0.1", name="Garten")
ada = User.objects.create_superuser("ada", "ada@example.org", "orchard-2025")
ben = User.objects.create_user("ben", "ben@example.org", "orchard-2025"); ben.groups.add(Group.objects.get(name="Tester"))
tools = Classification.objects.create(name="Gartengeräte")
begin = datetime(2025, 3, 1, 9)
products = []
for name in ("Rasenmäher", "Wasserpumpe"):
    product = Product.objects.create(name=name, classification=tools, description=f"{name} mit Akku")
    for value in ("1.0", "2.0"):
        version = Version.objects.create(product=product, value=value)
        Build.objects.create(version=version, name=f"Frühjahr {value}")
    for part in ("Antrieb", "Gehäuse"):
        Component.objects.create(product=product, name=part, initial_owner=ada, initial_qa_contact=ben, description=f"{part} der {name}")
    for group in ("Sicherheit", "Bedienung"):
        Category.objects.create(product=product, name=group)
    products.append(product)
def parts(product):
    version = Version.objects.get(product=product, value="2.0")
    return version, Build.objects.get(version=version, name="Frühjahr 2.0")
accepted, proposed = (TestCaseStatus.objects.get(name=name) for name in ("CONFIRMED", "PROPOSED"))
urgencies = list(Priority.objects.order_by("value"))
cases = []
for n in range(1, 41):
    product = products[n % 2]
    case = TestCase.objects.create(summary=f"Prüfung {n}: {('Start', 'Dauerlauf', 'Stillstand', 'Geräusch')[n % 4]} der {product.name}", text=f"Schritt 1: einschalten. Schritt 2: {n} Minuten warten.",
        case_status=accepted if n % 5 else proposed, is_automated=n % 3 == 0, author=(ada, ben)[n % 2], default_tester=ben, priority=urgencies[n % 3],
        category=Category.objects.get(product=product, name=("Sicherheit", "Bedienung")[n // 2 % 2]), notes=f"Notiz zu Prüfung {n}.")
    TestCase.objects.filter(pk=case.pk).update(create_date=begin + timedelta(days=n))
    case.add_tag(Tag.objects.get_or_create(name=("laut", "nass", "kurz")[n % 3])[0])
    case.add_component(Component.objects.get(product=product, name=("Antrieb", "Gehäuse")[n % 2]))
    cases.append(case)
kinds = list(PlanType.objects.order_by("id"))
for n, name in enumerate(("Abnahme Frühjahr", "Lautstärke", "Dichtheit", "Alter Plan"), 1):
    product = products[n % 2]
    plan = TestPlan.objects.create(name=name, text=f"Was {name} umfasst.", product=product, product_version=parts(product)[0], type=kinds[n], author=ada, is_active=n < 4)
    TestPlan.objects.filter(pk=plan.pk).update(create_date=begin + timedelta(days=n))
    for case in [each for each in cases if each.category.product == product and each.case_status.is_confirmed][:(6, 12, 3, 0)[n - 1]]:
        plan.add_case(case)
idle, passed, failed = (TestExecutionStatus.objects.get(name=name) for name in ("IDLE", "PASSED", "FAILED"))
for n in range(1, 4):
    plan = TestPlan.objects.get(pk=1 + n % 2)
    run = TestRun.objects.create(summary=f"Durchlauf {n}", notes="Bei trockenem Wetter.", plan=plan, build=parts(plan.product)[1], manager=ada, default_tester=ben, start_date=begin + timedelta(days=40 + n))
    for m, case in enumerate(plan.cases.order_by("pk")[:5]):
        for execution in run.create_execution(case, assignee=ben, sortkey=m * 10) if n < 3 else []:
            execution.status = (passed, idle, failed)[m % 3]; execution.save()
for n in range(1, 13):
    product = products[n % 2]; version, build = parts(product)
    bug = Bug.objects.create(summary=f"Fehler {n}: {product.name} {('klemmt', 'tropft', 'brummt')[n % 3]}", reporter=(ada, ben)[n % 2], assignee=(ben, ada)[n % 2], product=product, version=version, build=build,
        status=n % 4 != 0, severity=Severity.objects.order_by("weight")[n % 3])
    Bug.objects.filter(pk=bug.pk).update(created_at=begin + timedelta(days=60 + n))
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/django-admin || { python3 -m venv venv && venv/bin/pip install -q kiwitcms==12.4 'setuptools<81'; }
  rm -rf seed new && mkdir -p new/uploads && settings >bench_settings.py
  export BASE="$FOLDER/new/base.db" PYTHONPATH="$FOLDER" PYTHONWARNINGS=ignore
  venv/bin/django-admin migrate -v 0 --run-syncdb
  data | venv/bin/django-admin shell >/dev/null
  mv new seed
}

serve() {
  cp -r "$FOLDER/seed/." "$STATE" && export BASE="$STATE/base.db" PYTHONPATH="$FOLDER"
  cd "$STATE" && exec "$FOLDER/venv/bin/django-admin" runserver --noreload --insecure "127.0.0.1:$PORT"
}

"$1"
