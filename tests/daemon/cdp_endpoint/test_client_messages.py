from __future__ import annotations

import pytest

from tabmux.daemon.cdp_endpoint.client_messages import command_params, read_command
from tabmux.errors import Misuse


def params(text: str) -> dict[str, object]:
    command = read_command(b'{"id": 1, "method": "Page.navigate"%s}' % text.encode())
    assert command is not None
    return command_params(command)


@pytest.mark.parametrize("text", ['{"url": "file:///etc/passwd", "x": 1e400}', "[1]", "5", '"x"'])
def test_parameters_that_cannot_be_read_are_not_taken_for_none(text: str) -> None:
    with pytest.raises(Misuse, match=r"Page\.navigate cannot be read"):
        params(f', "params": {text}')


def test_a_command_may_have_no_parameters() -> None:
    assert params("") == params(', "params": null') == params(', "params": {}') == {}
