"""Figures -> the table that is printed, with its goals; the same as Markdown and JSON."""

from typing import NamedTuple


class Figure(NamedTuple):
    """A cell: nanoseconds or bytes a node, the ratio to micrograd, and the goal of one of them."""

    workload: str
    column: str
    nodes: int
    size: float | None
    """None where recursion was too deep, or the peer is not installed."""
    ratio: float | None
    goal: float | None

    @property
    def missed(self) -> bool:
        """True where there is a goal, and it is not met."""
        reached = self.size if self.column == BYTES else self.ratio
        return self.goal is not None and (reached is None or reached > self.goal)

    @property
    def cell(self) -> str:
        """Give size, ratio and goal in words."""
        if self.size is None:
            return "-"
        ratio = "" if self.ratio is None else f" {self.ratio:.3g}"
        missed = ", MISSED" if self.missed else ""
        goal = "" if self.goal is None else f" (<= {self.goal:g}{missed})"
        return f"{self.size:.0f}{ratio}{goal}"


BYTES = "bytes a node"


def print_table(figures: list[Figure]) -> None:
    """Print a block for each workload."""
    workload = ""
    for figure in figures:
        if figure.workload != workload:
            workload = figure.workload
            print(f"\n{workload}, {figure.nodes:,} nodes{'ns a node, ratio':>34}")
        print(f"  {figure.column:34} {figure.cell}")


def markdown(figures: list[Figure]) -> str:
    """Give a row for each column of the measure, a column for each workload."""
    workloads = list(dict.fromkeys(figure.workload for figure in figures))
    columns = list(dict.fromkeys(figure.column for figure in figures))
    cells = {(figure.column, figure.workload): figure.cell for figure in figures}
    lines = [["", *workloads], ["---"] * (len(workloads) + 1)]
    lines += [[name, *(cells.get((name, each), "") for each in workloads)] for name in columns]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
