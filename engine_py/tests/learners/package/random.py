print("next to the file, and named like a module of Python")
