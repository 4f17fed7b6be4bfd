from __future__ import annotations

import pytest

from tests.agent import Agent

SLIDER = """
<div id=track style="position:relative;width:400px;height:20px;margin:30px"><div id=s role=slider tabindex=0
 aria-label=F aria-valuemin=0 aria-valuemax=MAX aria-valuenow=20 style="position:absolute;width:20px;height:20px;background:red"></div></div>
<script>
const max = MAX, step = STEP; let now = 20, keys = 0;
const go = (to) => { now = Math.round(Math.min(max, Math.max(0, to)) / step) * step;
  setTimeout(() => { s.setAttribute("aria-valuenow", now); s.style.left = now / max * 380 + "px" }, LATE) };
s.onkeydown = (e) => { keys += 1; KEYS };
MOUSE
go(20);
</script>"""
KEYS = "if (e.key === 'ArrowRight') go(now + step); if (e.key === 'ArrowLeft') go(now - step)"
MOUSE = (
    "let from = null; s.onpointerdown = (e) => { from = [e.clientX, now]; s.setPointerCapture(e.pointerId) };"
    "s.onpointermove = (e) => { if (from) go(from[1] + (e.clientX - from[0]) / 380 * max) };"
    "s.onpointerup = () => { from = null }"
)


def slider(
    keys: str = KEYS, mouse: str = "", most: int = 100, step: str = "1", late: int = 0
) -> str:
    html = SLIDER.replace("KEYS", keys).replace("MOUSE", mouse).replace("MAX", str(most))
    return html.replace("STEP", step).replace("LATE", str(late))


@pytest.mark.parametrize(
    "html",
    [
        slider(),
        slider(step="5"),
        slider(late=30),
        slider(KEYS.replace("Right", "Up").replace("Left", "Down")),
        slider(
            KEYS.replace("ArrowRight", "x")
            .replace("ArrowLeft", "ArrowRight")
            .replace("'x'", "'ArrowLeft'")
        ),
        slider("", MOUSE, step="5"),
    ],
    ids=["keys", "steps of five", "late", "up and down", "from right to left", "mouse alone"],
)
async def test_a_slider_is_moved_to_the_number(agent: Agent, html: str) -> None:
    await agent.open(html)
    await agent("fill", uid=agent.uid("slider"), value="75")
    assert await agent.value("now") == "75"


async def test_a_far_way_begins_with_the_mouse(agent: Agent) -> None:
    await agent.open(slider(mouse=MOUSE, most=10000))
    await agent("fill", uid=agent.uid("slider"), value="7531")
    assert await agent.value("now") == "7531"
    assert int(await agent.value("keys")) < 500


async def test_a_slider_that_stops_beside_the_number_says_so(agent: Agent) -> None:
    await agent.open(slider(step="10"))
    text = await agent("fill", uid=agent.uid("slider"), value="47")
    assert "stands at 50" in text or "stands at 40" in text


async def test_a_slider_that_does_not_move_is_told(agent: Agent) -> None:
    await agent.open(slider(""))
    code, text = await agent.fails("fill", uid=agent.uid("slider"), value="75")
    assert code == "element_not_changed"
    assert "stands at 20 instead of 75" in text


@pytest.mark.parametrize(("value", "reason"), [("200", "0 to 100"), ("loud", "takes a number")])
async def test_a_number_that_a_slider_cannot_take_is_refused(
    agent: Agent, value: str, reason: str
) -> None:
    await agent.open(slider())
    code, text = await agent.fails("fill", uid=agent.uid("slider"), value=value)
    assert code == "element_not_fillable"
    assert reason in text
    assert await agent.value("keys") == "0"


async def test_a_spin_button_is_counted_up(agent: Agent) -> None:
    await agent.open(
        "<span role=spinbutton tabindex=0 aria-label=F aria-valuenow=3 aria-valuemin=0 aria-valuemax=50 "
        'onkeydown="ariaValueNow = +ariaValueNow + ({ArrowUp: 1, ArrowDown: -1}[event.key] ?? 0)">3</span>'
    )
    await agent("fill", uid=agent.uid("spinbutton"), value="31")
    assert await agent.value("document.querySelector('span').ariaValueNow") == '"31"'


async def test_a_slider_that_takes_one_key_a_frame_is_moved(agent: Agent) -> None:
    await agent.open("""<div role=slider tabindex=0 aria-label=Tone aria-valuenow=50 aria-valuemin=0
      aria-valuemax=100 onkeydown="
        const next = +this.ariaValueNow + ({ArrowRight: 1, ArrowLeft: -1}[event.key] ?? 0);
        requestAnimationFrame(() => this.ariaValueNow = next)">x</div>""")
    await agent("fill", uid=agent.uid("slider"), value="21")
    assert await agent.value("document.querySelector('[role=slider]').ariaValueNow") == '"21"'


async def test_a_part_of_a_date_is_typed(agent: Agent) -> None:
    await agent.open("""<span role=spinbutton tabindex=0 contenteditable aria-label=year
      aria-valuemin=1 aria-valuemax=9999>yyyy</span><script>
      const year = document.querySelector("span");
      let digits = "";
      year.onbeforeinput = (event) => {
        event.preventDefault();
        digits += event.data;
        year.textContent = year.ariaValueNow = digits;
      };</script>""")
    await agent("fill", uid="spinbutton", value="2026")
    assert await agent.value("year.ariaValueNow") == '"2026"'


async def test_a_slider_that_writes_its_number_with_a_unit_is_moved(agent: Agent) -> None:
    await agent.open("""<div role=slider tabindex=0 aria-label=S aria-valuenow="50%"
      style="width:200px;height:20px" onkeydown="this.setAttribute('aria-valuenow',
        parseFloat(this.getAttribute('aria-valuenow')) + (event.key === 'ArrowRight' ? 1 : -1) + '%')">
      </div>""")
    await agent("fill", uid=agent.uid("slider"), value="60")
    assert (
        await agent.value("document.querySelector('div').getAttribute('aria-valuenow')") == '"60%"'
    )


@pytest.mark.parametrize("steps", [1, 2])
async def test_a_slider_that_loses_its_number_on_the_way_is_told_as_such(
    agent: Agent, steps: int
) -> None:
    await agent.open(f"""<div role=slider tabindex=0 aria-label=S aria-valuenow=50
      style="width:200px;height:20px" onkeydown="this.steps = (this.steps ?? 0) + 1;
        if (this.steps > {steps}) this.removeAttribute('aria-valuenow');
        else this.setAttribute('aria-valuenow', 50 + this.steps)"></div>""")
    code, text = await agent.fails("fill", uid=agent.uid("slider"), value="60")
    assert (code, "stands at no value" in text) == ("element_not_changed", True)
