"""The headers that every reply has unless it has others of these names."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
    "require-trusted-types-for 'script'"
)
"""Content Security Policy: pages use what is theirs, and nothing runs that stands in a page."""

SAFE_HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
)
"""No sniffing of media types, no scripts of others, no Referer to others."""

NO_STORE = ("Cache-Control", "no-store")
"""The default, for replies that no view makes cacheable."""
