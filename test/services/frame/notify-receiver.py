"""Stands in for systemd's notify socket: prints each datagram as a line of JSON, with what came along.

notify-receiver.py PATH   a line "stop" on stdin makes it stop reading the socket, "go" makes it go on
"""

import json
import os
import select
import socket
import sys

receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
print("listening")

reading = True
while True:
    ready, _, _ = select.select([sys.stdin] + ([receiver] if reading else []), [], [])
    if sys.stdin in ready:
        command = sys.stdin.readline()
        if not command:
            break
        reading = command != "stop\n"
        print("stopped" if command == "stop\n" else "going")
        continue
    data, fds, flags, _ = socket.recv_fds(receiver, 65536, 16)
    kept = []
    for fd in fds:
        status = os.fstat(fd)
        kept.append({"ino": status.st_ino, "dev": status.st_dev})
        os.close(fd)
    print(json.dumps({"text": data.decode(), "descriptors": kept, "truncated": bool(flags & socket.MSG_CTRUNC)}))
