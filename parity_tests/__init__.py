"""The parity suite: any engine, in any language, against the same cases, equal to the bit."""
