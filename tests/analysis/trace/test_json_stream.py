import gzip
from pathlib import Path

from tabmux.analysis.trace.json_stream import is_truncated


def test_large_archive_that_was_cut_is_refused_before_it_is_read(tmp_path: Path) -> None:
    whole = gzip.compress(
        (b"[\n" + b'{"name":"e","ph":"X","ts":1}' + b"\n]") * 500, compresslevel=0
    )
    path = tmp_path / "trace.json.gz"
    path.write_bytes(whole)
    assert not is_truncated(path, block=64)
    path.write_bytes(whole + gzip.compress(b" "))
    assert not is_truncated(path, block=64)
    path.write_bytes(whole[:-12])
    assert is_truncated(path, block=64)
    path.write_bytes(whole[:500] + b"damaged" + whole[507:])
    assert not is_truncated(path, block=64)
