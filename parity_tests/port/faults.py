"""The errors of the contract, and what ends a line of the protocol early."""


class Fault(Exception):
    """An error of R30."""

    def __init__(self, code, span, **more):
        self.code, self.span, self.more = code, span, more

    def shown(self):
        where = None if self.span is None else {"end": self.span[1], "start": self.span[0]}
        text = f"{self.code.replace('_', ' ')}: {self.more or 'see the span'}"
        return {**self.more, "span": where, "message": text, "code": self.code}


class Skip(Exception):
    """Something that this engine does not have."""


class Refusal(Exception):
    """A line that is no message."""
