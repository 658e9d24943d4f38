"""A grader of learners' classes.

    from engine_py.grade import grade

    grade("student.py")["faults"]
"""
