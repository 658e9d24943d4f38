"""Say what is wrong with a learner's class, and which program shows it: `grade("student.py")`.

`run` has a child process try the class on `programs`; `judge` compares its numbers with the right
ones and finds the causes of its mistakes; `report` puts them into sentences.
"""

from engine_py.grade.report import Grade, grade

__all__ = ["Grade", "grade"]
