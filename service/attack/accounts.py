"""What clients got, and what a server counted -> replies that one of them does not know of."""

from collections import Counter
from http.client import HTTPConnection

from prometheus_client.parser import text_string_to_metric_families

from service.attack.crowd import Outcomes
from service.attack.wire import Address


def counted(address: Address) -> Outcomes:
    """Give how many requests the server has answered, by status."""
    connection = HTTPConnection(address.host, address.port, timeout=60)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    counts: Outcomes = Counter()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "http_requests_total":
                counts[sample.labels["status"]] += int(sample.value)
    return counts


def unaccounted(before: Outcomes, after: Outcomes, clients: Outcomes) -> list[str]:
    """Give each status that clients got more often than it was counted, and what nobody asked.

    Who aborts, or is reset, may have been answered or not.
    """
    rise = after - before
    got = Counter(label.partition(" ")[0] for label in clients.elements())
    faults = [
        f"{got[status]} clients got {status}, which was counted {rise[status]} times"
        for status in sorted(got)
        if status.isdecimal() and got[status] > rise[status]
    ]
    most = clients.total() + 1  # the first scrape, which is counted after it was written
    if rise.total() > most:
        faults.append(f"{rise.total()} replies were counted, of at most {most} requests")
    return faults
