"""Say what is wrong with a learner's class, and which program shows it.

    from engine_py.grade import grade

    grade("student.py")["faults"]
"""

from engine_py.grade.report import Grade, grade

__all__ = ["Grade", "grade"]
