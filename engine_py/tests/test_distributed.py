"""A sweep over a Dask cluster, and points from a Parquet file: `make test-sweep`.

The cluster has two worker processes on this machine; tests that need none compute in this process.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from math import inf, nan
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine_py import sweep
from engine_py.command.main import main

pytestmark = pytest.mark.distributed

REQUEST: dict[str, Any] = {
    "expression": "log(x) * w / (x - 0.5) + tanh(w)",
    "values": {
        "x": {"from": -0.5, "to": 3, "count": 701},
        "w": {"from": -2, "to": 2, "count": 31},
    },
}
EXPRESSION = "log(x) * w + tanh(b)"
COUNT = 5_000
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
    reported = [
        {"index": index, "error": json.loads(problem)}
        for index, problem in enumerate(columns["problem"])
        if problem is not None
    ]
    assert reported == whole["problems"]
    assert 0 < len(reported) < whole["count"]


def test_the_files_are_bit_identical_to_one_process(
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


@pytest.mark.parametrize("form", ["parquet", "ndjson"])
@pytest.mark.parametrize(("last", "code"), [(-0.5, 3), (1, 0)])
def test_the_exit_code_is_3_if_no_point_has_a_result(
    cluster: Any, tmp_path: Path, form: str, last: float, code: int
) -> None:
    """The second run computes nothing: the exit code is that of the sweep, not of the run."""
    request = {"expression": "log(x)", "values": {"x": {"from": -1, "to": last, "count": 3}}}
    options = ["--chunk=2", f"--form={form}"]
    assert [swept(request, cluster, tmp_path / "out", *options) for _ in range(2)] == [code, code]


def test_the_rows_of_a_table_are_points(cluster: Any, tmp_path: Path) -> None:
    """The same sweep as above with one value of `w`, and the values of `x` in a table."""
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
    files = {file: file.read_bytes() for file in folder.glob("part-*")}
    lost = sorted(files)[4:6]
    for file in files:
        if file in lost:
            file.unlink()
        else:
            file.write_text("kept")
    capsys.readouterr()
    assert swept(REQUEST, cluster, folder, "--chunk", "2000") == 0
    assert "4,000 points computed" in capsys.readouterr().err
    for file, content in files.items():
        assert file.read_bytes() == (content if file in lost else b"kept")
    assert swept(REQUEST, cluster, folder, "--chunk", "2000") == 0
    assert "0 points computed" in capsys.readouterr().err


def test_a_worker_that_is_killed_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    """One of the two is killed as soon as a third of the files exist."""
    from engine_py.distributed import plan, work  # noqa: PLC0415 - as above

    made = plan.make_plan(REQUEST, tmp_path / "out", "parquet", 100)
    victims = [next(iter(cluster.workers.values())).process.process.pid]
    killed = []

    def kill(progress: work.Progress) -> None:
        if progress.done >= 72 and victims:
            os.kill(victims.pop(), signal.SIGKILL)
            killed.append(progress.done)

    done = work.spread(made, cluster.scheduler_address, kill)
    assert killed == [72]
    assert done.done == done.chunks == 218
    assert_is_the_sweep_of_one_process(table(tmp_path / "out").to_pydict())


def test_a_folder_has_one_sweep(cluster: Any, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "out"
    assert swept({"expression": "x", "values": {"x": 1}}, cluster, folder) == 0
    assert swept({"expression": "x", "values": {"x": 2}}, cluster, folder) == 2
    assert "has another sweep; name a new folder" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_not_blamed_on_the_cluster(
    cluster: Any, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").write_text("")
    assert swept({"expression": "x", "values": {"x": 1}}, cluster, tmp_path / "request") == 0
    address = ["--scheduler", cluster.scheduler_address, "--into", str(tmp_path / "file" / "out")]
    assert main(["sweep", str(tmp_path / "request.json"), *address]) == 2
    assert "file/out can't hold the files: " in capsys.readouterr().err


def written(folder: Path, columns: dict[str, Any], **settings: Any) -> Path:
    """Write a table of these columns."""
    import pyarrow as pa  # noqa: PLC0415 - not in .venv before make test-sweep
    from pyarrow import parquet  # noqa: PLC0415

    file = folder / "points.parquet"
    parquet.write_table(pa.table(columns), file, **settings)
    return file


def lines(folder: Path, request: dict[str, Any], table: Path | None, chunk: int) -> list[str]:
    """Compute all chunks in this process, and return the lines of their files."""
    from engine_py.distributed import plan, work  # noqa: PLC0415

    folder.mkdir()
    made = plan.make_plan(request, folder, "ndjson", chunk, table)
    for each in range(made.chunks):
        work.write_chunk(made, each)
    return [line for each in range(made.chunks) for line in made.file(each).read_text().split("\n")]


def drawn(name: str) -> list[float]:
    """Draw numbers, a fifth of which have no logarithm."""
    random = Random(name)
    return [random.uniform(-1, 4) for _ in range(COUNT)]


@pytest.mark.parametrize("group", [COUNT, 777])
def test_a_table_is_bit_identical_to_columns_in_json(tmp_path: Path, group: int) -> None:
    x, w = drawn("x"), drawn("w")
    request = {"expression": EXPRESSION, "values": {"x": x, "w": w, "b": 0.5}}
    columns = lines(tmp_path / "json", json.loads(json.dumps(request)), None, 1_000)
    file = written(tmp_path, {"w": w, "left": ["alone"] * COUNT, "x": x}, row_group_size=group)
    rows = lines(tmp_path / "rows", request | {"values": {"b": 0.5}}, file, 1_000)
    assert rows == columns
    assert sum('"error"' in line for line in rows) == sum(number <= 0 for number in x) > 900


def test_floats_and_integers_become_the_nearest_doubles(tmp_path: Path) -> None:
    """2**53 + 1 is halfway between doubles and rounds to even; every float is a double."""
    import pyarrow as pa  # noqa: PLC0415

    x = pa.array([2**53 + 1, 2**53 + 3, -7], pa.int64())
    file = written(tmp_path, {"x": x, "y": pa.array([0.1, 1, 2], pa.float32())})
    found = lines(tmp_path / "rows", {"expression": "x + 0 * y"}, file, 2)
    results = [json.loads(line)["result"] for line in found if line]
    assert results == [2.0**53, 2.0**53 + 4, -7.0]
    found = lines(tmp_path / "more", {"expression": "y"}, file, 3)
    assert json.loads(found[0])["result"] == 0.100000001490116119384765625


def test_a_row_without_a_number_is_a_problem(tmp_path: Path) -> None:
    """Rows with numbers have squares; relu would hide a NaN."""
    file = written(tmp_path, {"x": [2.0, None, 3.0, nan, inf, -4.0], "y": [1.0, 1, None, 1, 1, 1]})
    found = lines(tmp_path / "rows", {"expression": "relu(x) ** 2 + 0 * y"}, file, 4)
    reported = [json.loads(line) for line in found if line]
    assert [each["index"] for each in reported] == list(range(6))
    assert [each.get("result") for each in reported] == [4.0, None, None, None, None, 0.0]
    errors = {each["index"]: each["error"] for each in reported if "error" in each}
    assert {index: (error["code"], error["name"]) for index, error in errors.items()} == {
        1: ("invalid_value", "x"),
        2: ("invalid_value", "y"),
        3: ("invalid_value", "x"),
        4: ("invalid_value", "x"),
    }
    assert errors[4]["message"] == "the column of `x` has no finite number in row 4, counted from 0"


def test_problems_are_written_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the problems of one row group are in memory."""
    from pyarrow import parquet  # noqa: PLC0415

    from engine_py.distributed import plan, work  # noqa: PLC0415
    from engine_py.sweeps import blocks  # noqa: PLC0415

    monkeypatch.setattr(work, "PROBLEMS", 2**8)
    monkeypatch.setattr(blocks, "POINTS", 2**6)
    values = {"x": {"from": -2, "to": -1, "count": 2**10}, "y": 2}
    made = plan.make_plan({"expression": "log(x) * y", "values": values}, tmp_path, "parquet")
    assert work.write_chunk(made, 0) == (2**10, 2**10)
    with parquet.ParquetFile(tmp_path / "part-0000000.parquet") as file:
        assert (file.metadata.num_rows, file.metadata.num_row_groups) == (2**10, 4)
        problems = file.read(["problem"])["problem"]
    assert (problems.null_count, json.loads(problems[7].as_py())["code"]) == (0, "domain_error")


READ = """
import sys
import pyarrow as pa
from engine_py.distributed import plan
_, table = plan.read_request('{"expression": "x * w"}', sys.argv[1])
print(table._read(range(900_000, 900_002))["x"].tolist(), pa.default_memory_pool().max_memory())
"""


def test_a_large_row_group_is_read_piece_by_piece(tmp_path: Path) -> None:
    """A million rows of two columns have 16 MB."""
    random = Random(1)
    x, w = ([random.random() for _ in range(2**20)] for _ in "xw")
    file = written(tmp_path, {"x": x, "w": w}, row_group_size=2**20)
    command = [sys.executable, "-c", READ, str(file)]
    reported = subprocess.run(command, check=True, capture_output=True, text=True)
    numbers, _, most = reported.stdout.rpartition(" ")
    assert json.loads(numbers) == x[900_000:900_002]
    assert int(most) < 12e6


@pytest.mark.parametrize(
    ("columns", "values", "message"),
    [
        ({"x": ["1"]}, {"w": 1}, "column `x` of FILE holds string from row 0 on; it must hold dou"),
        ({"x": [True]}, {"w": 1}, "column `x` of FILE holds bool from row 0 on; it must hold dou"),
        ({"x": [1.0]}, {"x": 1, "w": 1}, "`x` is a column of FILE, and has a value; leave one o"),
        ({"x": [1.0]}, {"w": [1, 2]}, "with a table, values are plain numbers, and `w` is not one"),
        ({"y": [1.0]}, {"x": 1, "w": 1}, "FILE has no column for a variable of the program"),
        ({"x": [0.5][:0]}, {"w": 1}, "FILE has no rows"),
        ({"x": [1.0]}, {}, "`w` has no value; write"),
        (None, {"w": 1}, "FILE is not a Parquet file: "),
    ],
)
def test_a_wrong_table_is_refused_before_connecting_to_the_cluster(
    tmp_path: Path, capsys: Capture, columns: Any, values: Any, message: str
) -> None:
    file = tmp_path / "points.parquet" if columns is None else written(tmp_path, columns)
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"expression": "x * w", "values": values}))
    cluster = ["--scheduler", "tcp://127.0.0.1:1", "--into", str(tmp_path / "out")]
    assert main(["sweep", str(request), *cluster, "--table", str(file)]) == 2
    shown = capsys.readouterr().err.replace(str(file), "FILE")
    assert message in shown
    assert not (tmp_path / "out").exists()


def refused(folder: Path, capsys: Capture, text: str, *arguments: str) -> str:
    """Run the command on a file with this text, and return its error."""
    (folder / "request.json").write_text(text)
    assert main(["sweep", str(folder / "request.json"), *arguments]) == 2
    shown = capsys.readouterr().err
    assert "Traceback" not in shown
    return shown.splitlines()[-1]


GRID = {"from": 0, "to": 1, "count": 10**6}
XY = {"expression": "x", "values": {"x": 1}}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"x": {**GRID, "count": 10**9}}, "the grids have 1000000000 numbers, before they are cr"),
        ({"x": {**GRID, "count": 2**53 - 1}}, "cross several short grids, or read the points fro"),
        ({"x": GRID, "y": GRID, "z": {**GRID, "count": 2}}, "has 1907349 chunks of 1048576 point"),
    ],
)
def test_a_sweep_too_large_for_a_cluster_is_refused(
    tmp_path: Path, capsys: Capture, values: Any, message: str
) -> None:
    """2 * 10**12 points are 1,907,348.6 chunks of 2**20."""
    text = json.dumps({"expression": "x", "values": values})
    cluster = ["--scheduler", "tcp://127.0.0.1:1", "--into", str(tmp_path / "out")]
    assert message in refused(tmp_path, capsys, text, *cluster)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["nonsense", "nonsense://127.0.0.1:1"])
def test_an_invalid_address_writes_no_files(tmp_path: Path, capsys: Capture, address: str) -> None:
    cluster = ["--scheduler", address, "--into", str(tmp_path / "out")]
    reported = refused(tmp_path, capsys, json.dumps(XY), *cluster)
    assert f"{address} is not a scheduler such as tcp://10.0.0.1:8786: " in reported
    assert not (tmp_path / "out").exists()


def test_a_member_that_is_given_twice_is_refused(tmp_path: Path, capsys: Capture) -> None:
    text = '{"expression": "x", "values": {"x": 1, "x": 2}}'
    reported = refused(tmp_path, capsys, text, "--scheduler", "tcp://127.0.0.1:1", "--into", "out")
    assert reported.endswith('the member "x" is given twice in one object of the file')
