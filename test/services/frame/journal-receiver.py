"""Stands in for journald: parses its native protocol by the description of systemd, and prints each entry as JSON.

journal-receiver.py PATH   a line "stop" on stdin makes it stop reading the socket, "go" makes it go on
"""

import json
import os
import select
import socket
import sys


def entry(data):
    fields = []
    while data:
        end = data.index(b"\n")
        line = data[:end]
        if b"=" in line:
            name, value = line.split(b"=", 1)
            data = data[end + 1 :]
        else:
            name = line
            length = int.from_bytes(data[end + 1 : end + 9], "little")
            value = data[end + 9 : end + 9 + length]
            assert data[end + 9 + length : end + 10 + length] == b"\n", "no newline behind a binary value"
            data = data[end + 10 + length :]
        fields.append([name.decode("ascii"), value.decode()])
    return fields


receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
receiver.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
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
    data = receiver.recv(1 << 20)
    print(json.dumps({"size": len(data), "fields": entry(data)}))
