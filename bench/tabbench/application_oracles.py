"""Application oracles: rules that do the tasks of our own applications, through any driver."""

from __future__ import annotations

from collections.abc import Mapping

from bench.pagetools.miniwob_oracles import MOST_TRIES, Episode, Oracle
from bench.trouble import BenchError


async def contact(episode: Episode) -> None:
    """Fill a form of five fields."""
    message, name, email, topic = episode.quoted
    await episode.driver.submit(
        {"Name": name, "Email": email, "Topic": topic, "Message": message, "Send me a copy": True},
        "Send",
    )


async def todo(episode: Episode) -> None:
    """Add, tick and delete entries of a list."""
    added, done, gone, end = episode.quoted
    await episode.driver.submit({"New todo": added}, "Add")
    await episode.driver.press(done)
    await episode.driver.press(f"Delete {gone}")
    await episode.driver.press(end)


async def shop(episode: Episode) -> None:
    """Search, and take what was found."""
    wanted, end = episode.quoted
    await episode.driver.submit({"Search products": wanted}, "Search")
    await episode.driver.press(f"Add {wanted}")
    await episode.driver.press(end)


async def table(episode: Episode) -> None:
    """Edit a row."""
    name, city, salary = episode.quoted
    await episode.driver.press(f"Edit {name}")
    await episode.driver.submit({"City": city, "Salary": salary}, "Save")


async def wizard(episode: Episode) -> None:
    """Go through three steps."""
    first, last, country = episode.quoted
    await episode.driver.submit({"First name": first, "Last name": last}, "Next")
    await _until(episode, "Step 2 of 3")
    await episode.driver.submit({"Country": country}, "Next")
    await _until(episode, "Step 3 of 3")
    await episode.driver.submit({"I accept the terms": True}, "Finish")


async def login(episode: Episode) -> None:
    """Log in, then save a field of the page behind."""
    user, password, display = episode.quoted
    await episode.driver.submit({"User": user, "Password": password}, "Log in")
    await _until(episode, "Save profile")
    await episode.driver.submit({"Display name": display}, "Save profile")


async def pages(episode: Episode) -> None:
    """Leaf through pages to an entry."""
    (wanted,) = episode.quoted
    for _ in range(MOST_TRIES):
        if wanted in (await episode.driver.read()).splitlines():
            break
        await episode.driver.press("Next page")
    await episode.driver.press(wanted)


async def dialog(episode: Episode) -> None:
    """Remove an entry, and confirm."""
    (gone,) = episode.quoted
    await episode.driver.press(f"Remove {gone}")
    await episode.driver.press("Delete it")


async def settings(episode: Episode) -> None:
    """Set a radio button, a list, a number and a checkbox."""
    theme, language, volume = episode.quoted
    await episode.driver.submit(
        {theme: True, "Language": language, "Volume": volume, "Newsletter": False},
        "Save settings",
    )


async def survey(episode: Episode) -> None:
    """Answer three questions and write a comment."""
    *answers, comment = episode.quoted
    await episode.driver.submit(
        {**dict.fromkeys(answers, True), "Comment": comment}, "Submit answers"
    )


async def _until(episode: Episode, text: str) -> None:
    """Look again until a text is there, as an agent does."""
    for _ in range(MOST_TRIES):
        if text in (await episode.driver.read()).splitlines():
            return
    raise BenchError(f"{text!r} did not appear")


APPLICATIONS: Mapping[str, Oracle] = {
    "contact": contact,
    "dialog": dialog,
    "login": login,
    "pages": pages,
    "settings": settings,
    "shop": shop,
    "survey": survey,
    "table": table,
    "todo": todo,
    "wizard": wizard,
}
