#!/usr/bin/env python3
"""POSIX and Linux rules that a file system keeps, checked in a directory.

usage: checks.py DIRECTORY [ENTRIES]

Runs as root: children take on the uids 1001 and 1002. DIRECTORY must be reachable by them. Prints one line of JSON per
check, {"name", "outcome": "ok" | "differs", "detail"}; exits 0 whatever the outcomes are, for they are the result.
ENTRIES is how many entries the large directory gets (5000 unless told).
"""
import ctypes
import errno
import json
import mmap
import os
import shutil
import stat
import subprocess
import sys
import time
import traceback

OWNER, OTHER, GROUP, SUPPLEMENTARY = 1001, 1002, 2001, 2002
RENAME_NOREPLACE, RENAME_EXCHANGE, AT_FDCWD = 1, 2, -100
ENTRIES = int(sys.argv[2]) if len(sys.argv) > 2 else 5000

libc = ctypes.CDLL(None, use_errno=True)


class Dirent(ctypes.Structure):
    _fields_ = [("ino", ctypes.c_uint64), ("off", ctypes.c_int64), ("reclen", ctypes.c_ushort),
                ("type", ctypes.c_ubyte), ("name", ctypes.c_char * 256)]


libc.opendir.restype = ctypes.c_void_p
libc.opendir.argtypes = [ctypes.c_char_p]
libc.readdir.restype = ctypes.POINTER(Dirent)
libc.readdir.argtypes = [ctypes.c_void_p]
libc.telldir.restype = ctypes.c_long
libc.telldir.argtypes = [ctypes.c_void_p]
libc.seekdir.restype = None
libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]
libc.closedir.argtypes = [ctypes.c_void_p]
libc.renameat2.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]

CHECKS = []


def check(function):
    """Registers a check; its docstring's first line is its name. It runs in an empty directory that is its cwd."""
    CHECKS.append((function.__doc__.strip(), function))
    return function


def same(what, got, want):
    if got != want:
        raise AssertionError(f"{what}: {got!r} instead of {want!r}")


def fails(want, call, *args):
    """The call must fail with one of the errnos named (`"EISDIR"`, `"EEXIST ENOTEMPTY"`)."""
    got = result(call, *args)
    if got not in want.split():
        name = getattr(call, "__name__", "call")
        raise AssertionError(f"{name}{args!r}: {got} instead of {want}")


def result(call, *args):
    try:
        value = call(*args)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    if call is os.open:
        os.close(value)
    return "done"


def put(path, data=b"", mode=0o644):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)


def get(path):
    with open(path, "rb") as file:
        return file.read()


def renameat2(old, new, flags):
    if libc.renameat2(AT_FDCWD, os.fsencode(old), AT_FDCWD, os.fsencode(new), flags) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


def start(function, uid=0, gid=0, groups=()):
    """Forks a child of that identity; answers its pid and the pipe on which its value comes as JSON."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(reader)
            if uid != 0:
                os.setgroups(list(groups))
                os.setresgid(gid, gid, gid)
                os.setresuid(uid, uid, uid)
            os.write(writer, json.dumps(function()).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writer)
    return pid, reader


def finish(child):
    pid, reader = child
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    same("exit status of a child", status, 0)
    return json.loads(text)


def as_user(uid, gid, groups, function):
    return finish(start(function, uid, gid, groups))


def times(path):
    status = os.lstat(path)
    return status.st_mtime_ns, status.st_ctime_ns


def changes(what, path, act, mtime, ctime):
    before = times(path)
    time.sleep(0.02)  # longer than a tick of the kernel's coarse clock
    act()
    after = times(path)
    same(f"{what} moves (mtime, ctime)", (after[0] > before[0], after[1] > before[1]), (mtime, ctime))


@check
def rename_over_open():
    """rename over an open file leaves the descriptor on the old file"""
    put("a", b"old")
    put("b", b"new")
    fd = os.open("a", os.O_RDONLY)
    try:
        os.rename("b", "a")
        same("through the descriptor", os.pread(fd, 9, 0), b"old")
        same("nlink of the old file", os.fstat(fd).st_nlink, 0)
    finally:
        os.close(fd)
    same("by name", get("a"), b"new")
    same("names left", os.listdir("."), ["a"])


@check
def unlink_open():
    """an unlinked open file has nlink 0 and can be read and written"""
    put("a", b"data")
    fd = os.open("a", os.O_RDWR)
    try:
        os.unlink("a")
        same("nlink", os.fstat(fd).st_nlink, 0)
        same("data", os.pread(fd, 9, 0), b"data")
        os.pwrite(fd, b"more", 4)
        same("data written later", os.pread(fd, 9, 0), b"datamore")
        fails("ENOENT", os.stat, "a")
    finally:
        os.close(fd)


@check
def append_atomic():
    """records that four processes append are all there and whole"""
    put("log")

    def writer(letter):
        def run():
            fd = os.open("log", os.O_WRONLY | os.O_APPEND)
            for _ in range(200):
                same("bytes appended", os.write(fd, letter * 99 + b"\n"), 100)
            return True
        return run

    for child in [start(writer(letter)) for letter in (b"a", b"b", b"c", b"d")]:
        finish(child)
    lines = get("log").split(b"\n")[:-1]
    same("records", sorted(lines), sorted(letter * 99 for letter in (b"a", b"b", b"c", b"d") for _ in range(200)))


@check
def exclusive_create():
    """of eight processes creating one name with O_EXCL one wins each time"""
    def racer(number):
        def run():
            won = 0
            for turn in range(100):
                got = result(os.open, f"f{turn}", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
                if got not in ("done", "EEXIST"):
                    raise AssertionError(f"racer {number}: {got}")
                won += got == "done"
            return won
        return run

    same("wins", sum(finish(child) for child in [start(racer(number)) for number in range(8)]), 100)


@check
def directory_seek():
    """telldir and seekdir keep their place while entries are removed"""
    names = {b"entry%04d" % number for number in range(600)}
    for name in names:
        put(name)
    directory = libc.opendir(b".")
    try:
        seen = []
        while len(seen) < 300:
            seen.append(bytes(libc.readdir(directory).contents.name))
        place = libc.telldir(directory)
        upcoming = libc.readdir(directory).contents.name
        for name in set(seen) - {b".", b".."}:
            os.unlink(name)
        libc.seekdir(directory, place)
        rest = []
        while entry := libc.readdir(directory):
            rest.append(bytes(entry.contents.name))
        same("first entry after seekdir", rest[0], upcoming)
        same("all entries once", sorted(seen + rest), sorted(names | {b".", b".."}))
    finally:
        libc.closedir(directory)


@check
def hard_links():
    """a hard link is the same inode with the same content"""
    put("a", b"one")
    os.link("a", "b")
    first, second = os.stat("a"), os.stat("b")
    same("inode", first.st_ino, second.st_ino)
    same("nlink", (first.st_nlink, second.st_nlink), (2, 2))
    put("b", b"two")
    same("content", get("a"), b"two")
    os.unlink("a")
    same("nlink after unlink", os.stat("b").st_nlink, 1)
    os.mkdir("d")
    fails("EPERM", os.link, "d", "e")
    fails("EEXIST", os.link, "b", "d")


@check
def truncation():
    """truncate cuts, and grows with zeros"""
    put("a", b"abcdef")
    os.truncate("a", 3)
    same("cut", get("a"), b"abc")
    os.truncate("a", 6)
    same("grown", get("a"), b"abc\0\0\0")
    fails("EISDIR", os.truncate, ".", 0)


@check
def sparse():
    """a hole reads as zeros"""
    fd = os.open("a", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.pwrite(fd, b"end", 1 << 20)
        same("size", os.fstat(fd).st_size, (1 << 20) + 3)
        same("hole", os.pread(fd, 1 << 20, 0), bytes(1 << 20))
    finally:
        os.close(fd)


@check
def timestamps():
    """write, chmod, rename, link and create move mtime and ctime as they must"""
    put("a")
    changes("write", "a", lambda: put("a", b"x"), True, True)
    changes("chmod", "a", lambda: os.chmod("a", 0o600), False, True)
    changes("link", "a", lambda: os.link("a", "b"), False, True)
    changes("unlink of another name", "a", lambda: os.unlink("b"), False, True)
    changes("create, on the directory", ".", lambda: put("c"), True, True)
    changes("rename, on the directory", ".", lambda: os.rename("c", "d"), True, True)
    changes("read", "a", lambda: get("a"), False, False)


@check
def nanoseconds():
    """utimens keeps nanoseconds and moves ctime"""
    put("a")
    before = os.stat("a").st_ctime_ns
    time.sleep(0.02)
    os.utime("a", ns=(1_000_000_001_123_456_789, 1_000_000_002_987_654_321))
    status = os.stat("a")
    same("times", (status.st_atime_ns, status.st_mtime_ns), (1_000_000_001_123_456_789, 1_000_000_002_987_654_321))
    same("ctime moved", status.st_ctime_ns > before, True)


IDENTITIES = [("owner", OWNER, 3001, (), 6), ("group", OTHER, GROUP, (), 3),
              ("supplementary", OTHER, 3002, (3003, GROUP), 3), ("other", OTHER, 3002, (3003,), 0)]


def matrix(make, attempts):
    for _, uid, gid, groups, shift in IDENTITIES:
        who = next(row[0] for row in IDENTITIES if row[1:4] == (uid, gid, groups))
        for bits in range(8):
            # The classes not asked about have the opposite, so a wrong class shows.
            mode = 0
            for place in (6, 3, 0):
                mode |= (bits if place == shift else 7 - bits) << place
            make(mode)
            got = as_user(uid, gid, groups, lambda: [result(*attempt) for _, _, attempt in attempts])
            want = ["done" if bits & need == need else "EACCES" for _, need, _ in attempts]
            same(f"{who} with mode {mode:04o}: {[name for name, _, _ in attempts]}", got, want)


@check
def file_permissions():
    """owner, group, supplementary group and others get their own bits of a file"""
    shutil.copy("/bin/true", "a")
    os.chown("a", OWNER, GROUP)

    def execute():
        same("exit status", subprocess.run(["./a"], check=False).returncode, 0)

    matrix(lambda mode: os.chmod("a", mode),
           [("read", 4, (os.open, "a", os.O_RDONLY)), ("write", 2, (os.open, "a", os.O_WRONLY)),
            ("execute", 1, (execute,))])


@check
def directory_permissions():
    """owner, group, supplementary group and others get their own bits of a directory"""
    os.mkdir("d")
    put("d/a")
    os.chown("d", OWNER, GROUP)

    def create():
        os.close(os.open("d/new", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.unlink("d/new")

    matrix(lambda mode: os.chmod("d", mode),
           [("list", 4, (os.listdir, "d")), ("search", 1, (os.stat, "d/a")), ("create", 3, (create,))])


@check
def sticky():
    """in a sticky directory only the owner removes or renames"""
    os.mkdir("d")
    os.chmod("d", 0o1777)
    put("d/a")
    os.chown("d/a", OWNER, OWNER)
    got = as_user(OTHER, OTHER, (), lambda: [result(os.unlink, "d/a"), result(os.rename, "d/a", "d/b")])
    same("another user", [{"EACCES": "EPERM"}.get(name, name) for name in got], ["EPERM", "EPERM"])
    same("the owner", as_user(OWNER, OWNER, (), lambda: result(os.unlink, "d/a")), "done")


@check
def setgid_directory():
    """entries of a setgid directory inherit its group, directories the bit too"""
    os.mkdir("d")
    os.chown("d", OWNER, GROUP)
    os.chmod("d", 0o2777)

    def create():
        put("d/f")
        os.mkdir("d/s")
        return [os.stat("d/f").st_gid, os.stat("d/s").st_gid, bool(os.stat("d/s").st_mode & stat.S_ISGID)]

    same("gid, gid, bit", as_user(OTHER, OTHER, (), create), [GROUP, GROUP, True])


@check
def text_busy():
    """a running program cannot be opened for writing"""
    shutil.copy("/bin/sleep", "program")
    os.chmod("program", 0o755)
    running = subprocess.Popen(["./program", "30"])
    try:
        fails("ETXTBSY", os.open, "program", os.O_WRONLY)
    finally:
        running.kill()
        running.wait()
    fails("done", os.open, "program", os.O_WRONLY)


@check
def name_length():
    """a name may have 255 bytes and not 256"""
    put("n" * 255)
    same("listed", os.listdir("."), ["n" * 255])
    fails("ENAMETOOLONG", put, "n" * 256)
    fails("ENAMETOOLONG", os.stat, "n" * 256)


@check
def name_bytes():
    """names keep every byte from 0x80 to 0xff"""
    names = [b"x" + bytes([byte]) for byte in range(0x80, 0x100)]
    for name in names:
        put(name, name)
    same("listed", sorted(os.listdir(b".")), names)
    for name in names:
        same("content", get(name), name)


@check
def normal_forms():
    """a composed and a decomposed name are two files"""
    put("\u00e9", b"composed")
    put("e\u0301", b"decomposed")
    same("content", (get("\u00e9"), get("e\u0301")), (b"composed", b"decomposed"))
    same("entries", len(os.listdir(".")), 2)


@check
def large_directory():
    """every entry of a large directory is listed exactly once"""
    names = [f"entry{number:06}" for number in range(ENTRIES)]
    for name in names:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o600))
    got = sorted(os.listdir("."))
    if got != names:
        raise AssertionError(f"{len(got)} entries, {len(set(got))} different, instead of {ENTRIES}")


@check
def rename_refusals():
    """rename refuses a child of itself, a full directory and the wrong kind"""
    os.makedirs("d/child")
    os.mkdir("e")
    put("f")
    fails("EINVAL", os.rename, "d", "d/child/x")
    fails("ENOTEMPTY EEXIST", os.rename, "e", "d")
    fails("EISDIR", os.rename, "f", "e")
    fails("ENOTDIR", os.rename, "e", "f")
    os.rename("d", "e")
    same("over an empty directory", os.listdir("e"), ["child"])


@check
def rename_noreplace():
    """RENAME_NOREPLACE refuses a name that exists"""
    put("a", b"a")
    put("b", b"b")
    fails("EEXIST", renameat2, "a", "b", RENAME_NOREPLACE)
    same("content", (get("a"), get("b")), (b"a", b"b"))
    renameat2("a", "c", RENAME_NOREPLACE)
    same("names", sorted(os.listdir(".")), ["b", "c"])


@check
def rename_exchange():
    """RENAME_EXCHANGE swaps a file and a directory"""
    put("a", b"a")
    os.makedirs("d/x")
    renameat2("a", "d", RENAME_EXCHANGE)
    same("swapped", (get("d"), os.listdir("a")), (b"a", ["x"]))
    fails("ENOENT", renameat2, "a", "none", RENAME_EXCHANGE)


@check
def symlink_loop():
    """a loop of symbolic links is ELOOP"""
    os.symlink("b", "a")
    os.symlink("a", "b")
    fails("ELOOP", os.stat, "a")
    fails("ELOOP", os.open, "a", os.O_RDONLY)


@check
def nofollow():
    """O_NOFOLLOW refuses a symbolic link with ELOOP"""
    put("a")
    os.symlink("a", "s")
    fails("ELOOP", os.open, "s", os.O_RDONLY | os.O_NOFOLLOW)
    same("readlink", os.readlink("s"), "a")


@check
def directory_flag():
    """O_DIRECTORY refuses a file with ENOTDIR"""
    put("a")
    fails("ENOTDIR", os.open, "a", os.O_RDONLY | os.O_DIRECTORY)
    fails("done", os.open, ".", os.O_RDONLY | os.O_DIRECTORY)


@check
def directory_write():
    """opening a directory for writing is EISDIR"""
    os.mkdir("d")
    fails("EISDIR", os.open, "d", os.O_WRONLY)
    fails("EISDIR", os.open, "d", os.O_RDWR)


@check
def remove_directory():
    """rmdir wants an empty directory, unlink wants no directory"""
    os.makedirs("d/e")
    put("f")
    fails("ENOTEMPTY EEXIST", os.rmdir, "d")
    fails("ENOTDIR", os.rmdir, "f")
    fails("EISDIR EPERM", os.unlink, "d")


@check
def removed_cwd():
    """a removed current directory is empty and takes no new entries"""
    os.mkdir("d")

    def inside():
        os.chdir("d")
        os.rmdir("../d")
        return [result(os.getcwd), result(put, "x"), os.listdir("."), os.stat(".").st_nlink]

    same("getcwd, create, list, nlink", finish(start(inside)), ["ENOENT", "ENOENT", [], 0])


@check
def open_truncate():
    """O_TRUNC empties the same inode"""
    put("a", b"data")
    inode = os.stat("a").st_ino
    os.close(os.open("a", os.O_WRONLY | os.O_TRUNC))
    same("size and inode", (os.stat("a").st_size, os.stat("a").st_ino), (0, inode))


@check
def append_pwrite():
    """pwrite on an O_APPEND descriptor appends, as Linux has it"""
    put("a", b"data")
    fd = os.open("a", os.O_WRONLY | os.O_APPEND)
    try:
        os.pwrite(fd, b"more", 0)
    finally:
        os.close(fd)
    same("content", get("a"), b"datamore")


@check
def allocate():
    """fallocate grows a file with zeros and keeps its data"""
    put("a", b"data")
    fd = os.open("a", os.O_RDWR)
    try:
        # Linux's own call: posix_fallocate of the C library would write zeros itself where the file system cannot.
        if libc.fallocate(fd, 0, ctypes.c_int64(0), ctypes.c_int64(8192)) != 0:
            raise OSError(ctypes.get_errno(), "fallocate")
    finally:
        os.close(fd)
    same("content", get("a"), b"data" + bytes(8188))


@check
def seek_hole():
    """SEEK_DATA and SEEK_HOLE find data and the end"""
    fd = os.open("a", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.pwrite(fd, b"x" * 4096, 1 << 20)
        end = (1 << 20) + 4096
        same("data", os.lseek(fd, 0, os.SEEK_DATA), 1 << 20)
        same("hole", os.lseek(fd, 0, os.SEEK_HOLE), 0)
        same("hole at the end", os.lseek(fd, 1 << 20, os.SEEK_HOLE), end)
        fails("ENXIO", os.lseek, fd, end, os.SEEK_DATA)
    finally:
        os.close(fd)


@check
def mapped_write():
    """a write to a shared mapping is seen by read, and a write by the mapping"""
    put("a", bytes(4096))
    fd = os.open("a", os.O_RDWR)
    try:
        with mmap.mmap(fd, 4096) as mapping:
            mapping[0:6] = b"mapped"
            same("read", get("a")[:6], b"mapped")
            os.pwrite(fd, b"written", 100)
            same("mapping", mapping[100:107], b"written")
    finally:
        os.close(fd)


@check
def second_descriptor():
    """what one descriptor writes another reads at once"""
    put("a")
    reader, writer = os.open("a", os.O_RDONLY), os.open("a", os.O_WRONLY)
    try:
        for text in (b"one", b"two", b"three"):
            os.write(writer, text)
            same("read", os.read(reader, 99), text)
        same("at the end", os.read(reader, 99), b"")
    finally:
        os.close(reader)
        os.close(writer)


@check
def synchronise():
    """fsync takes a file and a directory"""
    put("a", b"x")
    for path in ("a", "."):
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


@check
def extended_attributes():
    """user attributes are set, listed, read and removed"""
    put("a")
    os.setxattr("a", "user.colour", b"blue\0")
    same("read", os.getxattr("a", "user.colour"), b"blue\0")
    same("list", [name for name in os.listxattr("a") if name.startswith("user.")], ["user.colour"])
    fails("EEXIST", os.setxattr, "a", "user.colour", b"", os.XATTR_CREATE)
    os.removexattr("a", "user.colour")
    fails("ENODATA", os.getxattr, "a", "user.colour")


@check
def chown_clears():
    """chown clears setuid and setgid of a program"""
    put("a")
    os.chown("a", OWNER, OWNER)
    os.chmod("a", 0o6755)
    os.chown("a", OTHER, OTHER)
    same("mode", oct(os.stat("a").st_mode & 0o7777), oct(0o755))
    same("an owner giving a file away", as_user(OTHER, OTHER, (), lambda: result(os.chown, "a", OWNER, -1)), "EPERM")


@check
def write_clears():
    """a write by another user clears setuid"""
    put("a")
    os.chown("a", OWNER, OWNER)
    os.chmod("a", 0o4777)

    def write():
        fd = os.open("a", os.O_WRONLY)
        return os.write(fd, b"x")

    same("bytes", as_user(OTHER, OTHER, (), write), 1)
    same("mode", oct(os.stat("a").st_mode & 0o7777), oct(0o777))


@check
def umask_honoured():
    """umask takes its bits from new files and directories"""
    before = os.umask(0o027)
    try:
        put("a", b"", 0o666)
        os.mkdir("d", 0o777)
    finally:
        os.umask(before)
    same("modes", [oct(os.stat(path).st_mode & 0o777) for path in ("a", "d")], ["0o640", "0o750"])


@check
def directory_links():
    """a directory counts itself, its name and its subdirectories"""
    os.mkdir("d")
    same("empty", os.stat("d").st_nlink, 2)
    os.makedirs("d/a")
    os.makedirs("d/b")
    put("d/f")
    same("two subdirectories", os.stat("d").st_nlink, 4)
    os.rmdir("d/a")
    same("one left", os.stat("d").st_nlink, 3)


@check
def trailing_slash():
    """a path that ends with a slash names a directory only"""
    put("a")
    fails("ENOTDIR", os.stat, "a/")
    fails("EISDIR", os.open, "new/", os.O_CREAT | os.O_WRONLY)
    os.mkdir("d/")
    os.rename("d/", "e/")
    same("directory", stat.S_ISDIR(os.stat("e/").st_mode), True)
    fails("ENOTDIR", os.rename, "a", "b/")


def main():
    root = os.path.abspath(sys.argv[1])
    os.umask(0o022)
    for name, function in CHECKS:
        place = os.path.join(root, function.__name__)
        os.mkdir(place)
        os.chmod(place, 0o777)
        os.chdir(place)
        outcome, detail = "ok", ""
        try:
            function()
        except Exception as error:  # the report of whatever went wrong is what this program is for
            outcome, detail = "differs", f"{type(error).__name__}: {error}"
        print(json.dumps({"name": name, "outcome": outcome, "detail": detail}), flush=True)
        os.chdir(root)
        shutil.rmtree(place)


main()
