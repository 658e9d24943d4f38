print("beside the file, and called as a module of Python")
