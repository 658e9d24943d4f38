"""Keep the process of a hand-in from others' files, the network and other processes, on Linux.

Landlock, which needs no privilege, allows writing into one folder alone, and signals to the
process's own children alone; a network namespace of its own has no network. Neither hinders
reading. What the system does not allow is left open, and reported.
"""

import ctypes
import os
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""System calls of Landlock, which have the same numbers on all processors that Python runs on."""
_VERSION, _PATH_BENEATH = 1, 1
_WRITE_FILE = 1 << 1
_WRITING = _WRITE_FILE | 0x1FF0
"""To write, to remove, and to make files, folders, links, pipes and devices."""
_REFER, _TRUNCATE = (2, 1 << 13), (3, 1 << 14)
"""Rights with the version that brought them: to move between folders, and to cut a file."""
_TCP, _OWN_SIGNALS = (4, 0b11), (6, 0b11)
"""No TCP, and no signals or abstract sockets of processes outside."""
_NO_NEW_PRIVILEGES, _TAKE_ORPHANS, _DIE_WITH_PARENT = 38, 36, 1
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000


def keep_apart(writable: Path) -> list[str]:
    """Confine this process and its children, for good.

    Args:
        writable: the one folder in which it may write.

    Returns:
        What stays open to it, of "files", "network" and "signals".
    """
    if sys.platform != "linux":
        return ["files", "network", "signals"]
    libc = ctypes.CDLL(None, use_errno=True)
    has_no_network = _leave_network(libc)
    version = libc.syscall(_CREATE_RULESET, None, 0, _VERSION)
    if not _confine(libc, version, writable):
        version = 0
    still_open = {"files": version < 1, "signals": version < _OWN_SIGNALS[0]}
    still_open["network"] = not has_no_network and version < _TCP[0]
    return sorted([name for name, is_open in still_open.items() if is_open])


def watch() -> None:
    """Go on in a child of this process, which ends all that is left behind, in other sessions too.

    It then ends as the child has ended.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_TAKE_ORPHANS, 1, 0, 0, 0)
    worker = os.fork()
    if not worker:
        libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        return
    signal.signal(signal.SIGTERM, lambda *_: os.kill(worker, signal.SIGKILL))
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with suppress(OSError):  # in the end there is none
        while True:  # what an ended one has started comes to this process then
            for each in _children():
                os.kill(each, signal.SIGKILL)
            os.waitpid(-1, 0)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def _children() -> list[int]:
    """List the processes that this one is the parent of."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            _, _, fields = each.read_text(encoding="utf-8", errors="replace").rpartition(")")
            found += [int(each.parent.name)] if int(fields.split()[1]) == os.getpid() else []
    return found


def _leave_network(libc: ctypes.CDLL) -> bool:
    """Enter a network namespace without a network; its user namespace keeps user and group."""
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_NETWORK) != 0:
        return False
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        try:
            Path("/proc/self", name).write_text(text, encoding="ascii")
        except OSError:  # then it can make no files, and has no network all the same
            break
    return True


def _confine(libc: ctypes.CDLL, version: int, writable: Path) -> bool:
    """Give up the rights that a version of Landlock knows; tell whether it is done."""
    if version < 1:
        return False
    writing = _WRITING | sum([right for since, right in (_REFER, _TRUNCATE) if version >= since])
    fields = [writing] + [right for since, right in (_TCP, _OWN_SIGNALS) if version >= since]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    rows = (writable, writing), (Path(os.devnull), _WRITE_FILE)
    done = True
    for path, rights in rows:
        folder = os.open(path, os.O_PATH)
        rule = struct.pack("=Qi", rights, folder)
        done &= libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) == 0
        os.close(folder)
    done = done and libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    done = done and libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return done
