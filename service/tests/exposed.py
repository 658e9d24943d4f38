"""Metrics in Prometheus' text format -> samples, read by Prometheus' own parser."""

from prometheus_client.parser import text_string_to_metric_families

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]
"""Each value, by the name of its sample and its labels."""


def samples_of(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def counted(samples: Samples, name: str, **labels: str) -> float:
    """Add up the samples of this name that have these labels, and perhaps others."""
    return sum(
        value
        for (each, found), value in samples.items()
        if each == name and labels.items() <= dict(found).items()
    )
