"""Clients of the echo service, good and bad: client.py KIND PATH [ARGUMENT...]. Each prints what it saw as JSON lines.

say TEXT        says it once and prints the answer, or null when the connection was closed without one
send HEX        sends bytes and prints the answer
hold N          N connections that say nothing; prints each one's answer, null for none yet; until stdin ends
dead            a connection whose owner has ended; prints the answer
throw N         a message with N descriptors attached; prints the answer, or "EPERM" when the kernel did not send it
linger SECONDS  a message with a TCP socket attached whose last close takes that long; prints "sent", then the answer
flood           says more and more, and reads all answers, until a line comes on stdin
storm N SEED    N connections, a third of them broken off at random points; prints how many of each kind
"""

import array
import json
import os
import random
import select
import signal
import socket
import struct
import sys
import threading

kind, path, *arguments = sys.argv[1:]


def connect():
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    return s


def frame(text):
    payload = json.dumps({"op": "say", "text": text}).encode()
    return struct.pack(">I", len(payload)) + payload


def tell(s, data):
    """Who is refused may be told and left before it has said a word."""
    try:
        s.sendall(data)
    except (BrokenPipeError, ConnectionResetError):
        pass


def exactly(s, count):
    data = b""
    while len(data) < count:
        try:
            more = s.recv(count - len(data))
        except ConnectionResetError:
            return None
        if not more:
            return None
        data += more
    return data


def answer(s):
    header = exactly(s, 4)
    if header is None:
        return None
    payload = exactly(s, struct.unpack(">I", header)[0])
    return None if payload is None else json.loads(payload)


def show(value):
    print(json.dumps(value), flush=True)


def storm(count, seed):
    rng = random.Random(seed)
    seen = {"answered": 0, "broken": 0, "killed": 0, "lost": 0}

    def point(data):
        """Before a byte, in the header, in the payload, after the frame."""
        return rng.choice([0, rng.randrange(1, 4), rng.randrange(4, len(data)), len(data)])

    for _ in range(count):
        text = "x" * rng.randrange(1, 3000)
        data = frame(text)
        chance = rng.random()
        if chance < 0.28:
            s = connect()
            s.sendall(data[: point(data)])
            if rng.random() < 0.5:
                s.shutdown(socket.SHUT_WR)
            s.close()
            seen["broken"] += 1
        elif chance < 0.34:
            upto = point(data)
            ready, told = os.pipe()
            child = os.fork()
            if child == 0:
                s = connect()
                s.sendall(data[:upto])
                os.write(told, b"x")
                signal.pause()
            os.close(told)
            os.read(ready, 1)
            os.close(ready)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            seen["killed"] += 1
        else:
            s = connect()
            s.sendall(data)
            got = answer(s)
            seen["answered" if got == {"type": "said", "text": text} else "lost"] += 1
            s.close()
    show(seen)


if kind == "say":
    s = connect()
    tell(s, frame(arguments[0]))
    show(answer(s))
elif kind == "send":
    s = connect()
    tell(s, bytes.fromhex(arguments[0]))
    show(answer(s))
elif kind == "hold":
    held = [connect() for _ in range(int(arguments[0]))]
    for s in held:
        readable, _, _ = select.select([s], [], [], 0.3 if s is held[0] else 0.02)
        show((answer(s) or "closed") if readable else None)
    sys.stdin.read()
elif kind == "dead":
    s = socket.socket(socket.AF_UNIX)
    child = os.fork()
    if child == 0:
        s.connect(path)
        os._exit(0)
    os.waitpid(child, 0)
    print("connected", flush=True)
    show(answer(s))
elif kind == "throw":
    s = connect()
    fds = [os.open("/dev/null", os.O_RDONLY) for _ in range(int(arguments[0]))]
    try:
        s.sendmsg([frame("catch")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))])
        show(answer(s))
    except PermissionError:
        show("EPERM")
elif kind == "linger":
    unread = socket.create_server(("127.0.0.1", 0))
    tcp = socket.create_connection(unread.getsockname())
    tcp.setblocking(False)
    try:
        while True:
            tcp.send(bytes(65536))
    except BlockingIOError:
        pass
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, int(arguments[0])))
    s = connect()
    s.sendmsg([frame("catch")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [tcp.fileno()]))])
    tcp.close()
    show("sent")
    show(answer(s))
    s.close()
    sys.stdin.read()
elif kind == "flood":
    s = connect()
    many = frame("more") * 1000
    reader = threading.Thread(target=lambda: [None for _ in iter(lambda: s.recv(1 << 20), b"")], daemon=True)
    reader.start()
    writer = threading.Thread(target=lambda: [s.sendall(many) for _ in iter(int, 1)], daemon=True)
    writer.start()
    show("flooding")
    sys.stdin.readline()
    os._exit(0)
elif kind == "storm":
    storm(int(arguments[0]), int(arguments[1]))
