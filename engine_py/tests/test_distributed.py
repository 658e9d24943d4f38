"""A sweep over a local Dask cluster of two worker processes: `make test-sweep`."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import pytest

from engine_py import Limits, prepare, sweep
from engine_py.command.main import main

pytestmark = pytest.mark.distributed

NEURON = "tanh(x1 * w1 + x2 * w2 + b)"
REQUEST: dict[str, Any] = {
    "expression": "log(x) * w / (x - 0.5) + tanh(w)",
    "values": {
        "x": {"from": -0.5, "to": 3, "count": 701},
        "w": {"from": -2, "to": 2, "count": 31},
    },
}
MANY = Limits(sweep_nodes=10**12)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster  # noqa: PLC0415 - not in .venv before make test-sweep

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


def swept(request: dict[str, Any], cluster: Any, folder: Path, *arguments: str) -> int:
    """Run the command on a file of the request."""
    file = folder.with_suffix(".json")
    file.write_text(json.dumps(request))
    address = ["--scheduler", cluster.scheduler_address, "--into", str(folder)]
    return main(["sweep", str(file), *address, *arguments])


def table(folder: Path) -> Any:
    """Join the Parquet files of a folder, in the order of their names."""
    import pyarrow as pa  # noqa: PLC0415 - as above
    from pyarrow import parquet  # noqa: PLC0415

    parts = sorted(folder.glob("part-*.parquet"))
    return pa.concat_tables([parquet.read_table(file) for file in parts])


def assert_is_the_sweep_of_one_process(columns: dict[str, list[Any]]) -> None:
    whole = sweep(REQUEST["expression"], REQUEST["values"])
    assert columns["index"] == list(range(whole["count"]))
    assert columns["result"] == whole["results"]
    for name, gradient in whole["gradients"].items():
        assert columns[f"d/d{name}"] == gradient
    told = [
        {"index": index, "error": json.loads(problem)}
        for index, problem in enumerate(columns["problem"])
        if problem is not None
    ]
    assert told == whole["problems"]
    assert 0 < len(told) < whole["count"]


def test_the_files_hold_the_bits_of_one_process(
    cluster: Any, tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "out"
    assert swept(REQUEST, cluster, folder, "--chunk", "2000") == 0
    assert len(list(folder.glob("part-*"))) == 11
    assert_is_the_sweep_of_one_process(table(folder).to_pydict())
    shown = capsys.readouterr().err
    assert "11 of 11 chunks" in shown
    assert "21,731 points computed" in shown


def test_the_lines_are_those_of_the_service(cluster: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert swept(REQUEST, cluster, folder, "--chunk", "5000", "--form", "ndjson") == 0
    files = sorted(folder.glob("part-*.ndjson"))
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    whole = sweep(REQUEST["expression"], REQUEST["values"])
    errors = {each["index"]: each["error"] for each in whole["problems"]}
    for index, line in enumerate(lines):
        assert line["index"] == index
        assert line.get("error") == errors.get(index)
        assert line.get("result") == whole["results"][index]
    assert len(lines) == whole["count"]


def test_the_rows_of_a_table_are_points(cluster: Any, tmp_path: Path) -> None:
    """The same sweep as above, its axes written out, but for one number that is the same."""
    import pyarrow as pa  # noqa: PLC0415 - as above
    from pyarrow import parquet  # noqa: PLC0415

    folder, points = tmp_path / "out", tmp_path / "points.parquet"
    axes = sweep(REQUEST["expression"], REQUEST["values"] | {"w": 0.1})["axes"]
    parquet.write_table(pa.table({"x": axes[0]["x"]}), points, row_group_size=300)
    request = REQUEST | {"values": {"w": 0.1}}
    assert swept(request, cluster, folder, "--chunk", "200", "--table", str(points)) == 0
    whole = sweep(REQUEST["expression"], REQUEST["values"] | {"w": 0.1})
    columns = table(folder).to_pydict()
    assert len(list(folder.glob("part-*"))) == 4
    assert columns["index"] == list(range(701))
    assert columns["result"] == whole["results"]
    assert columns["d/dx"] == whole["gradients"]["x"]


def test_finished_chunks_are_not_computed_again(
    cluster: Any, tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "out"
    assert swept(REQUEST, cluster, folder, "--chunk", "2000") == 0
    before = {file: file.stat().st_mtime_ns for file in folder.glob("part-*")}
    lost = sorted(before)[4:6]
    for file in lost:
        file.unlink()
    capsys.readouterr()
    assert swept(REQUEST, cluster, folder, "--chunk", "2000") == 0
    assert "4,000 points computed" in capsys.readouterr().err
    after = {file: file.stat().st_mtime_ns for file in folder.glob("part-*")}
    assert [file for file in before if before[file] == after[file]] == [
        file for file in before if file not in lost
    ]
    assert_is_the_sweep_of_one_process(table(folder).to_pydict())
    assert swept(REQUEST, cluster, folder, "--chunk", "2000") == 0
    assert "0 points computed" in capsys.readouterr().err


def test_a_worker_that_is_killed_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    pids = [worker.process.process.pid for worker in cluster.workers.values()]
    killed = []

    def kill() -> None:
        """Kill one of the two as soon as a third of the files are there."""
        until = time.monotonic() + 60
        while len(list(folder.glob("part-*"))) < 72 and time.monotonic() < until:
            time.sleep(0.01)
        killed.append(len(list(folder.glob("part-*"))))
        os.kill(pids[0], signal.SIGKILL)

    timer = Timer(0, kill)
    timer.start()
    assert swept(REQUEST, cluster, folder, "--chunk", "100") == 0
    timer.join()
    assert 72 <= killed[0] < 218
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    assert len(list(folder.glob("part-*"))) == 218
    assert_is_the_sweep_of_one_process(table(folder).to_pydict())


def test_a_folder_has_one_sweep(cluster: Any, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "out"
    assert swept({"expression": "x", "values": {"x": 1}}, cluster, folder) == 0
    assert swept({"expression": "x", "values": {"x": 2}}, cluster, folder) == 2
    assert "has another sweep; name a new folder" in capsys.readouterr().err


PEAK = """
import resource, sys
from pathlib import Path
from engine_py.distributed import plan, work
values = {"x": {"from": -2, "to": -1, "count": 2**18}, "y": 2}
made = plan.make_plan({"expression": "log(x) * y", "values": values}, Path(sys.argv[1]), "parquet")
assert work.write_chunk(made, 0) == (2**18, 2**18)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_problems_are_written_as_they_come(tmp_path: Path) -> None:
    """Texts of 2**18 problems together would be another 150 MB: 200 bytes each, and their list."""
    from pyarrow import parquet  # noqa: PLC0415 - as above

    command = [sys.executable, "-c", PEAK, str(tmp_path)]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(told.stdout) < 200_000  # kilobytes
    with parquet.ParquetFile(tmp_path / "part-0000000.parquet") as file:
        assert (file.metadata.num_rows, file.metadata.num_row_groups) == (2**18, 4)
        problems = file.read(["problem"])["problem"]
    assert (problems.null_count, json.loads(problems[7].as_py())["code"]) == (0, "domain_error")


def test_a_folder_that_cannot_be_made_is_no_fault_of_the_cluster(
    cluster: Any, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").write_text("")
    assert swept({"expression": "x", "values": {"x": 1}}, cluster, tmp_path / "request") == 0
    address = ["--scheduler", cluster.scheduler_address, "--into", str(tmp_path / "file" / "out")]
    assert main(["sweep", str(tmp_path / "request.json"), *address]) == 2
    assert "file/out can't hold the files: " in capsys.readouterr().err


def test_the_throughput_beside_one_process(cluster: Any, tmp_path: Path, capsys: Capture) -> None:
    """The same chunks, by this process and then by two workers, into files each time."""
    from engine_py.distributed import plan, work  # noqa: PLC0415 - as above

    grid = {"from": -1.5, "to": 1.5, "count": 25}
    values = dict.fromkeys(("x1", "w1", "x2", "w2", "b"), grid)
    request = {"expression": NEURON, "values": values}
    warm = {"expression": NEURON, "values": {**values, "b": 0}}
    assert swept(warm, cluster, tmp_path / "warm", "--chunk", "9999") == 0  # numpy is loaded now
    alone, folder = tmp_path / "alone", tmp_path / "out"
    alone.mkdir()
    made = plan.make_plan(request, alone, "parquet")
    started = time.monotonic()
    for chunk in range(made.chunks):
        work.write_chunk(made, chunk)
    one = time.monotonic() - started
    started = time.monotonic()
    assert swept(request, cluster, folder) == 0
    both = time.monotonic() - started
    assert table(folder).equals(table(alone))
    columns = prepare(NEURON, limits=MANY).columns(values)
    assert np.array_equal(table(folder)["result"].to_numpy(), np.asarray(columns.results))
    assert np.array_equal(table(folder)["d/dw1"].to_numpy(), np.asarray(columns.gradients["w1"]))
    size = sum(file.stat().st_size for file in folder.glob("part-*"))
    pids = [worker.process.process.pid for worker in cluster.workers.values()]
    peaks = [re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()) for pid in pids]
    peak = max(int(each[1]) for each in peaks if each) / 1024
    with capsys.disabled():
        print(  # noqa: T201 - what this test is for
            f"\n{made.total:,} points of {NEURON}, a second: one process {made.total / one:,.0f}, "
            f"two workers {made.total / both:,.0f}, {one / both:.2f} times as many; "
            f"{size / made.total:.0f} bytes a point, at most {peak:,.0f} MB a worker"
        )
