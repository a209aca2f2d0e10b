"""Mounts a FUSE that answers everything but FLUSH, opens its only file, and throws the descriptor at a service.

silent-fuse.py SOCKET FOLDER COUNT   to be run in a mount namespace of its own, as root. Prints the service's answer, then
whether a close of the same descriptor hangs in this process (that is what the service is spared), and ends with stdin.
A child of it answers the kernel: its end, at the latest with this process, aborts the connection and frees who hangs.
"""

import array
import ctypes
import json
import os
import signal
import socket
import struct
import sys
import threading

OPCODES = {3: "GETATTR", 14: "OPEN", 25: "FLUSH", 26: "INIT"}
target, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

fuse = os.open("/dev/fuse", os.O_RDWR)
path = os.path.join(folder, "silent")
open(path, "w").close()
libc = ctypes.CDLL(None, use_errno=True)
options = f"fd={fuse},rootmode=100644,user_id=0,group_id=0,allow_other".encode()
if libc.mount(b"silent", path.encode(), b"fuse", 6, options) != 0:
    raise OSError(ctypes.get_errno(), "mount")

flushed, tell = os.pipe()


def serve():
    while True:
        request = os.read(fuse, 1 << 20)
        _, opcode, unique = struct.unpack_from("<IIQ", request)
        name = OPCODES.get(opcode)
        error, body = 0, b""
        if name == "INIT":
            body = struct.pack("<IIIIHHIIHHIIII", 7, 31, 65536, 0, 16, 12, 65536, 1, 1, 0, 0, 0, 0, 0) + bytes(16)
        elif name == "GETATTR":
            attributes = struct.pack("<QQQQQQIIIIIIIIII", 1, 5, 1, 0, 0, 0, 0, 0, 0, 0o100644, 1, 0, 0, 0, 4096, 0)
            body = struct.pack("<QII", 3600, 0, 0) + attributes
        elif name == "OPEN":
            body = struct.pack("<QII", 7, 0, 0)
        elif name == "FLUSH":
            os.write(tell, b"x")
            continue
        else:
            error = -38
        os.write(fuse, struct.pack("<IiQ", 16 + len(body), error, unique) + body)


server = os.fork()
if server == 0:
    libc.prctl(1, signal.SIGKILL)
    serve()
os.close(fuse)
file = os.open(path, os.O_RDONLY)

s = socket.socket(socket.AF_UNIX)
s.connect(target)
payload = json.dumps({"op": "say", "text": "catch"}).encode()
data = struct.pack(">I", len(payload)) + payload
try:
    s.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file] * count))])
    print('"sent"', flush=True)
    header = s.recv(4)
    print(s.recv(struct.unpack(">I", header)[0]).decode() if len(header) == 4 else "null", flush=True)
except PermissionError:
    print('"EPERM"', flush=True)

closer = threading.Thread(target=os.close, args=(file,), daemon=True)
closer.start()
os.read(flushed, 1)
closer.join(0.3)
print("hangs" if closer.is_alive() else "does not hang", flush=True)
sys.stdin.read()
os.kill(server, signal.SIGKILL)
