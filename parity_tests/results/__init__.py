"""Records of what engines pass, by contract, engine and version, and a page of them."""
