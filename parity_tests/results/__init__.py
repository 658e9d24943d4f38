"""What engines have passed, by contract, engine and version: records, and a page of them."""
