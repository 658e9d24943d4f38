"""Say what is wrong with a learner's class, and which program shows it: `grade("student.py")`.

A child process runs the file and tries its class on `programs`; `judge` compares the numbers with
what is right, `walk` looks into a backward pass, and `words` puts what was found into sentences.
"""

from engine_py.grade.report import Grade, grade

__all__ = ["Grade", "grade"]
