from __future__ import annotations

from tabmux.record.nested_arguments import filled, put, without


def test_a_value_is_put_where_its_path_leads_and_nowhere_else() -> None:
    given = {"elements": [{"value": "a"}], "value": "b"}
    put(given, "elements.0.value", "c")
    put(given, "elsewhere.value", "d")
    put(given, "other", "e")
    assert given == {"elements": [{"value": "c"}], "value": "b"}
    assert without(given, ["value"]) == {"elements": [{"value": "c"}], "value": ""}
    assert given["value"] == "b"


def test_only_the_names_that_are_given_are_filled_in() -> None:
    found = filled({"a": ["x <hidden b> <hidden c>", 1]}, {"b": "B"})
    assert found == {"a": ["x B <hidden c>", 1]}
