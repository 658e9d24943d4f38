"""The parity suite: any engine, in any language, compared with the same cases to the bit."""
