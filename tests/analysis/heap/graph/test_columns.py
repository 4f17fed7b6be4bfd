import msgspec
import numpy as np
import pytest

from tabmux.analysis.heap.faults import BadSnapshot
from tabmux.analysis.heap.graph import columns as module
from tabmux.analysis.heap.graph.columns import columns, table


def raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


def test_columns_are_read_across_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 16)
    numbers = ",".join(str(number) for number in range(300))
    read = columns(raw(f"[{numbers}]"), ["a", "b", "c"], {"c": np.int32, "a": np.int64}, 100)
    assert read["a"].tolist() == list(range(0, 300, 3))
    assert read["c"].tolist() == list(range(2, 300, 3))


def test_white_space_between_numbers_is_skipped() -> None:
    assert table(raw("[ 1 ,2\n,3,\r\n\t-4 ]"), 2).tolist() == [[1, 2], [3, -4]]
    assert table(raw("[ ]"), 2).tolist() == []


def test_missing_column_is_named() -> None:
    with pytest.raises(BadSnapshot, match="self_size"):
        columns(raw("[]"), ["type"], {"type": np.uint8, "self_size": np.int64}, 0)


@pytest.mark.parametrize("text", ["[1,2]", "[1,2,3,4,5,6,7,8]", "[1000,1000]"])
def test_wrong_number_of_rows_is_refused(text: str) -> None:
    with pytest.raises(BadSnapshot, match="announces 3 rows"):
        columns(raw(text), ["a", "b"], {"a": np.int64}, 3)


@pytest.mark.parametrize("text", ["[1,2,3]", "[1,x]", "[1,,2]", "[1.5,2]", "{}", "null"])
def test_what_is_no_table_of_integers_is_refused(text: str) -> None:
    with pytest.raises(BadSnapshot):
        table(raw(text), 2)


def test_endless_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 16)
    with pytest.raises(BadSnapshot, match="integers"):
        table(raw("[" + "1" * 100 + "]"), 1)
