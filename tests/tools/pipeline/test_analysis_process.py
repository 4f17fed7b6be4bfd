from __future__ import annotations

import asyncio
import os
import sys

import psutil
import pytest

from tabmux.tools.pipeline import analysis_process
from tabmux.tools.pipeline.analysis_process import AnalysisFailed, AnalysisProcess

SERVER = """
import asyncio, os
from tabmux.tools.pipeline.analysis_process import AnalysisProcess

async def main():
    async with AnalysisProcess() as worker:
        print(await worker.run(os.getpid), flush=True)
        await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_work_is_done_in_another_process_that_ends_with_the_block() -> None:
    async with AnalysisProcess() as worker:
        there = await worker.run(os.getpid)
        assert there != os.getpid()
        process = psutil.Process(there)
    _, alive = await asyncio.to_thread(psutil.wait_procs, [process], 30)
    assert not alive


async def test_process_does_not_outlive_a_server_that_is_killed(tmp_path: object) -> None:
    file = f"{tmp_path}/server.py"
    with open(file, "w") as script:
        script.write(SERVER)
    server = await asyncio.create_subprocess_exec(
        sys.executable, file, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    async with asyncio.timeout(30):
        process = psutil.Process(int(await server.stdout.readline()))
    server.kill()
    await server.communicate()
    _, alive = await asyncio.to_thread(psutil.wait_procs, [process], 30)
    assert not alive


def _fail_to_settle() -> None:
    raise OSError("no memory")


async def test_process_that_could_not_start_is_started_by_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with AnalysisProcess() as worker:
        with monkeypatch.context() as patched:
            patched.setattr(analysis_process, "_settle_in", _fail_to_settle)
            with pytest.raises(AnalysisFailed):
                await worker.run(os.getpid)
        assert await worker.run(os.getpid) != os.getpid()
