"""Grades as pages: one for the class, grouped by cause, and one for each learner."""

from collections.abc import Iterable, Sequence
from html import escape

from engine_py.grade.assignment import Assignment
from engine_py.grade.folder import Row
from engine_py.grade.report import Fault

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="generator" content="gradient grade">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent) }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem }}
h2 {{ margin-top: 2.5rem }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0;
  border-top: 1px solid var(--line) }}
thead th {{ border: 0 }}
:is([data-head=result], [data-head=points], [data-head=programs]) {{ white-space: nowrap }}
code {{ font: .92em ui-monospace, monospace; overflow-wrap: anywhere }}
ol, p {{ margin: 0 }} ol {{ padding-left: 1.2rem }} li + li {{ margin-top: .35rem }}
.right {{ color: light-dark(#176b3a, #6fd39b) }} .wrong {{ color: light-dark(#a3251c, #ff9d92) }}
.quiet {{ opacity: .75 }} .scroll {{ overflow-x: auto }}
@media (max-width: 40rem) {{
  thead {{ display: none }} tr, td {{ display: block }}
  tr {{ border-top: 1px solid var(--line); padding: .5rem 0 }}
  td {{ border: 0; padding: 0 0 0 6rem; position: relative }} td:empty {{ display: none }}
  td::before {{ content: attr(data-head); position: absolute; left: 0; opacity: .75 }}
}}
</style>
<h1>{title}</h1>
<p>{summary}</p>
{body}
</html>
"""
_RESULTS = ("right", "wrong", "not done", "not read", "not graded")


def as_page(rows: Sequence[Row], assignment: Assignment) -> str:
    """Write the page of the class: the most common causes first, then each learner."""
    results = [row.result for row in rows]
    counts = [f"{results.count(each)} {each}" for each in _RESULTS if each in results]
    causes = [
        [str(len(group)), _coded(fault["message"]), _coded(fault["evidence"]), _names(group)]
        for group, fault in _most_common(rows)
    ]
    notes: dict[str, list[Row]] = {}
    for row in rows:
        for note in row.grade["notes"] if row.grade else ():
            notes.setdefault(note, []).append(row)
    noted = sorted(notes.items(), key=lambda item: (-len(item[1]), item[0]))
    body = [
        "<h2>The most common causes</h2>",
        _table(["count", "cause", "shown by", "learners"], causes),
        "<h2>Each learner</h2>",
        _table(
            ["name", "result", *(["points"] if assignment.tasks else []), "programs", "causes"],
            [_cells(row, assignment) for row in rows],
        ),
        "<h2>Notes</h2>",
        _table(
            ["count", "note", "learners"],
            [[str(len(group)), _coded(note), _names(group)] for note, group in noted],
        ),
    ]
    summary = f"{len(rows)} in all: {', '.join(counts) or 'nothing'}."
    return _page(assignment.title, escape(summary), body if noted else body[:-2])


def as_learner_page(graded: Row, assignment: Assignment) -> str:
    """Write a learner's page, without hidden tasks: points, causes with their programs, notes."""
    row = graded.for_learner(assignment)
    right, tried = row.counted
    summary = [f"{escape(row.file or 'no file')}: {_toned(row)}{row.part}"]
    summary += [f"{right} of {tried} programs are right"] if tried else []
    body = (
        [f"<p>Read as {_coded(row.grade['reading'])}.</p>"]
        if row.grade and row.grade["reading"]
        else []
    )
    if assignment.tasks:
        tasks = [
            [escape(task.name), f"{credit:g} of {task.points:g}", _list(lines)]
            for task, credit, lines in row.scored(assignment)
            if not task.hidden
        ]
        body += ["<h2>Points</h2>", _table(["task", "points", "operations"], tasks)]
        body += ["<p>Hidden tasks are not on this page.</p>"] * (len(tasks) < len(assignment.tasks))
    if row.faults:
        body += ["<h2>Mistakes</h2>", _faults(row.faults)]
    if row.grade and row.grade["notes"]:
        body += ["<h2>Notes</h2>", _list(row.grade["notes"])]
    return _page(row.name or row.id, ". ".join(summary) + ".", body)


def _page(title: str, summary: str, body: Iterable[str]) -> str:
    return _PAGE.format(title=escape(title), summary=summary, body="\n".join(body))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; its cells are HTML."""
    cells = [f'<td data-head="{each}">' for each in heads]  # shown on a phone in place of the head
    lines = ["<tr>" + "".join(map(str.__add__, cells, row)) + "</tr>" for row in rows]
    head = "<th>".join(["<thead><tr>", *heads])
    return f'<div class="scroll"><table>{head}</thead>\n' + "\n".join(lines) + "</table></div>"


def _most_common(rows: Sequence[Row]) -> list[tuple[list[Row], Fault]]:
    """Group equal causes, the largest group first, each with its smallest program."""
    groups: dict[str, dict[str, tuple[Row, Fault]]] = {}
    for row in rows:
        for fault in row.faults:
            # Files that cannot be read have the same cause if they raise the same exception.
            own = [fault["message"]] if fault["kind"] == "load" else fault["operations"]
            cause = " ".join([fault["kind"], *own])
            groups.setdefault(cause, {}).setdefault(row.id, (row, fault))
    found = [
        (
            [row for row, _ in group.values()],
            min(
                [fault for _, fault in group.values()], key=lambda each: len(each["program"] or "")
            ),
        )
        for group in groups.values()
    ]
    return sorted(found, key=lambda each: (-len(each[0]), each[1]["kind"]))


def _cells(row: Row, assignment: Assignment) -> list[str]:
    right, tried = row.counted
    name = escape(row.name or row.id or row.file)
    if row.id:
        name = f'<a href="learners/{escape(row.id)}.html">{name}</a>'
    if row.file not in (row.id, row.name):
        name += f"<p class=quiet>{escape(row.file)}</p>"
    score = [f"{row.score:g} of {assignment.max_points:g}"] if assignment.tasks else []
    reported = _faults(row.faults) if row.faults else _coded(row.why)
    return [name, _toned(row), *score, f"{right} of {tried}" if tried else "", reported]


def _toned(row: Row) -> str:
    tone = "right" if row.result == "right" else "wrong"
    return f"<span class={tone}>{row.result}</span>"


def _names(group: Sequence[Row]) -> str:
    return ", ".join([escape(row.name or row.id) for row in group])


def _faults(faults: Sequence[Fault]) -> str:
    rows = [
        f"<li>{_coded(each['message'])}<p class=quiet>{_coded(each['evidence'])}</p>"
        for each in faults
    ]
    return f"<ol>{''.join(rows)}</ol>"


def _list(lines: Sequence[str]) -> str:
    return "".join([f"<p>{_coded(each)}</p>" for each in lines])


def _coded(text: str) -> str:
    """Escape a text, with the parts between backquotes as code."""
    parts = escape(text).split("`")
    return "".join([f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts)])
