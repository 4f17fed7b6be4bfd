#!/usr/bin/env bash
# Label Studio (English): forty projects, in one of them sixty texts with labels. PyPI: label-studio.
set -euo pipefail
export DJANGO_SETTINGS_MODULE=core.settings.label_studio DJANGO_DB=sqlite LOG_LEVEL=ERROR
# It reaches nothing outside: no newer version, no numbers of its use, no report of errors.
export LATEST_VERSION_CHECK=false COLLECT_ANALYTICS=false FEATURE_FLAGS_OFFLINE=true SENTRY_DSN="" FRONTEND_SENTRY_DSN=""
# A webhook may be on loopback, where nobody listens.
export SECRET_KEY=bench DEBUG=false SSRF_PROTECTION_ENABLED=false

manage() {
  cd "$FOLDER"/venv/lib/python3*/site-packages/label_studio && "$FOLDER/venv/bin/python" manage.py "$@"
}

data() {
  cat <<'PYTHON'
from datetime import datetime, timedelta, timezone
from organizations.models import Organization
from projects.models import Project
from tasks.models import Annotation, Task
from users.models import User
ada = User.objects.create_user("ada@example.org", "orchard-2025", username="ada", first_name="Ada", last_name="Green")
home = Organization.create_organization(created_by=ada, title="Orchard")
ben = User.objects.create_user("ben@example.org", "orchard-2025", username="ben", first_name="Ben", last_name="Brook")
home.add_user(ben)
User.objects.update(active_organization=home, allow_newsletters=False)
MOOD = """<View><Text name="text" value="$text"/><Choices name="mood" toName="text" choice="single">
  <Choice value="Positive"/><Choice value="Negative"/><Choice value="Neutral"/></Choices></View>"""
NAMES = """<View><Labels name="label" toName="text"><Label value="Plant" background="green"/><Label value="Place" background="blue"/></Labels>
  <Text name="text" value="$text"/></View>"""
titles = [f"{kind} {year}" for year in range(2016, 2025) for kind in ("Harvest diary", "Soil samples", "Bird calls", "Garden letters")]
titles += ["Empty basket", "Names of plants", "Two questions", "Moods of visitors"]
begin = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
projects = {}
for n, title in enumerate(titles):
    config = NAMES if title == "Names of plants" else MOOD
    projects[title] = Project.objects.create(title=title, description=f"About {title.lower()}", organization=home, created_by=ada, label_config=config)
    Project.objects.filter(pk=projects[title].pk).update(created_at=begin + timedelta(days=n))
def fill(title, texts, answered):
    project, tasks = projects[title], []
    for n, text in enumerate(texts, 1):
        task = Task.objects.create(project=project, inner_id=n, data={"text": text, "month": ("March", "April", "May")[n % 3]})
        if n <= answered:
            value = {"choices": [("Positive", "Negative", "Neutral")[n % 3]]}
            Annotation.objects.create(task=task, project=project, completed_by=(ada, ben)[n % 2], lead_time=4.0 + n,
                result=[{"from_name": "mood", "to_name": "text", "type": "choices", "value": value}])
        tasks.append(task)
    project._update_tasks_counters_and_task_states(Task.objects.filter(project=project), False, False, True)
fruits = ("apples", "pears", "plums", "cherries")
fill("Moods of visitors", [f"Visitor {n} said that the {fruits[n % 4]} were {('sweet', 'sour', 'late')[n % 3]} this year." for n in range(1, 61)], 12)
fill("Two questions", ["Is the gate open on Sunday?", "Who waters the roses?"], 1)
fill("Names of plants", [f"In bed {n} there is a {('rose', 'fern', 'lily')[n % 3]} from Kent." for n in range(1, 7)], 0)
PYTHON
}

install() {
  mkdir -p "$FOLDER" && cd "$FOLDER"
  test -x venv/bin/label-studio || { python3 -m venv venv && venv/bin/pip install -q label-studio; }
  rm -rf seed new && mkdir new && export LABEL_STUDIO_BASE_DATA_DIR="$FOLDER/new"
  (manage migrate -v 0) && (data >"$FOLDER/data.py" && manage shell -c "exec(open('$FOLDER/data.py').read())")
  mv "$FOLDER/new" "$FOLDER/seed"
}

serve() {
  # Its pages let it ask for tips, which it does without when nobody answers.
  export HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 NO_PROXY=127.0.0.1,localhost
  cp -r "$FOLDER/seed/." "$STATE" && export LABEL_STUDIO_BASE_DATA_DIR="$STATE" HOST="http://127.0.0.1:$PORT"
  cd "$FOLDER"/venv/lib/python3*/site-packages/label_studio && exec "$FOLDER/venv/bin/python" manage.py runserver --noreload --skip-checks "127.0.0.1:$PORT"
}

"$1"
