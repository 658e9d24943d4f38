"""Text -> graph: tokens, the parser, and the hints that errors give."""
