from package.deep.engine import Value
