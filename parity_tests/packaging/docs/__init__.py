"""The site of `make docs`: a script that gathers its texts, and pages only for the site."""
