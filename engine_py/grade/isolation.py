"""Keep a hand-in's process from other files, the network and other processes, on Linux.

Landlock, which needs no privileges, restricts writes to one folder, and signals to the process's
own children; a new network namespace has no network. Neither restricts reading. A restriction that
the system does not support is reported.
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
"""Rights to write, to remove, and to make files, folders, links, pipes and devices."""
_REFER, _TRUNCATE = (2, 1 << 13), (3, 1 << 14)
"""Rights, each with the version that introduced it: to move between folders, to truncate."""
_TCP, _OWN_SIGNALS = (4, 0b11), (6, 0b11)
"""No TCP; no signals to processes outside, and none of their abstract sockets."""
_NO_NEW_PRIVILEGES, _TAKE_ORPHANS, _DIE_WITH_PARENT = 38, 36, 1
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000


def isolate(writable: Path) -> list[str]:
    """Confine this process and its children, for good.

    Args:
        writable: the one folder in which it may write.

    Returns:
        The names of those that stay open to it: "files", "network", "signals".
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
    """Fork, and return in the child; this process waits, and exits as the child does.

    It first kills every process that the child leaves behind, in other sessions too.
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
    with suppress(OSError):  # until none is left
        while True:  # the children of a killed process become children of this one
            for each in _children():
                os.kill(each, signal.SIGKILL)
            os.waitpid(-1, 0)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def _children() -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            _, _, fields = each.read_text(encoding="utf-8", errors="replace").rpartition(")")
            found += [int(each.parent.name)] if int(fields.split()[1]) == os.getpid() else []
    return found


def _leave_network(libc: ctypes.CDLL) -> bool:
    """Enter a network namespace without a network, and keep the user and the group."""
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
        except OSError:  # it then cannot create files, but still has no network
            break
    return True


def _confine(libc: ctypes.CDLL, version: int, writable: Path) -> bool:
    """Give up the rights that this version of Landlock knows; return whether that worked."""
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
