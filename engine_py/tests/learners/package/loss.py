# right: relative and absolute imports, a class of another file, `random.py` hides Python's
import random

from package.deep.engine import Value
from .names import DEFAULT

loss = Value(random.random()) + DEFAULT
while loss.data < 1e9:
    loss = loss + 1e-9
