from __future__ import annotations

import pytest

from tabmux.record.parameter_names import parameter_name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("E-mail address *", "e_mail_address"), ("Page", "page_value"), ("class", "class_value"),
        ("2nd line", "value_2nd_line"), ("名前", "value"),
    ],
)  # fmt: skip
def test_the_name_of_a_parameter_can_stand_in_a_program(label: str, name: str) -> None:
    assert parameter_name(label) == name
    assert name.isidentifier()
