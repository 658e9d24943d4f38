"""Replies -> how many there were of each status and code, and which codes there never were."""

from collections import Counter

from service.reply.problems import KINDS
from service.tests.bad_replies import Reply

NOT_OF_ONE_CALL = {
    "compute_timeout",
    "internal_error",
    "not_ready",
    "overloaded",
    "request_timeout",
}
"""They need a slow client, many clients, a stop, a fault of the service."""

_REFUSED = 400


class Tally:
    """Counts replies; codes that never came say that the calls are not bad enough."""

    def __init__(self) -> None:
        """Start from nothing."""
        self.replies: Counter[tuple[int, str]] = Counter()
        self.in_batches: Counter[str] = Counter()
        self.slowest = (0.0, 0)

    def add(self, number: int, reply: Reply, seconds: float) -> None:
        """Count one reply, and the problems in it if it answers a batch."""
        status, codes = reply.status, reply.codes()
        if status < _REFUSED:
            self.in_batches.update(codes)
            codes = []
        self.replies[status, codes[0] if codes else ""] += 1
        self.slowest = max(self.slowest, (seconds, number))

    def missing(self) -> list[str]:
        """Name the codes that no reply had."""
        met = {code for _, code in self.replies}
        return [code for code in KINDS if code not in met | NOT_OF_ONE_CALL]

    def __str__(self) -> str:
        """Show the counts as a table."""
        refused = sum(count for (status, _), count in self.replies.items() if status >= _REFUSED)
        inner = ", ".join(f"{code} {count:,}" for code, count in self.in_batches.most_common())
        seconds, number = self.slowest
        rows = [
            f"{status} {code:22}{count:>9,}"
            for (status, code), count in sorted(self.replies.items())
        ]
        rows.append(f"{refused:,} of {self.replies.total():,} were refused")
        rows.append(f"problems in batches: {inner}")
        rows.append(f"the slowest took {seconds * 1000:.0f} ms: number {number}")
        return "\n".join(rows)
