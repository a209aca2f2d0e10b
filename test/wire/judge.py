"""Sends the mutants of one section to the readers of one protocol and compares each answer with the oracle's.

Reads {folder, name, section, protocol, samples, firstByteMillis} as JSON from standard input. The readers
listen at `<folder>/<name> <phase>` and answer as phases.fixture.ts says. Behind every mutant comes a well-formed peer
to the same reader. Prints one JSON object of counts. A mismatch goes to standard error with its bytes; then the exit
code is 1.
"""

import array
import bisect
import collections
import fcntl
import itertools
import json
import os
import select
import socket
import struct
import sys
import termios
import time

from mutants import SECTIONS, Case, Wire, compact, frame
from oracle import Oracle, Refused, number

# Connections open at a time, half of them well-formed.
BATCH = 64
# Mismatches that are printed; all are counted.
PRINTED = 10
SECONDS = 10.0


class Peer:
    def __init__(self, judge, case):
        self.case = case
        self.unsent = list(case.pieces)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(SECONDS)
        self.socket.connect(judge.path(case.phase))

    def send_piece(self):
        piece = self.unsent.pop(0)
        if self.case.descriptors and piece:
            self.must_be_kept_out(piece)
        self.socket.sendall(piece)
        if not self.unsent:
            if self.case.vanishes:
                self.socket.close()
            elif self.case.ends:
                self.socket.shutdown(socket.SHUT_WR)

    def must_be_kept_out(self, piece):
        try:
            socket.send_fds(self.socket, [piece], [NULL] * self.case.descriptors)
        except PermissionError:
            return
        raise SystemExit("descriptors were let in")

    def wait_until_read(self):
        """Until the reader has taken what was sent: then nothing of it is charged to this socket any more."""
        unread = array.array("i", [1])
        deadline = time.monotonic() + SECONDS
        while unread[0] > 0:
            os.sched_yield()
            fcntl.ioctl(self.socket, termios.TIOCOUTQ, unread)
            if time.monotonic() > deadline:
                raise TimeoutError("the reader does not read")

    def answer(self):
        """All bytes up to the end of the stream."""
        with self.socket:
            pieces = []
            while piece := self.socket.recv(1 << 18):
                pieces.append(piece)
            return b"".join(pieces)


NULL = os.open("/dev/null", os.O_RDONLY)


class Judge:
    def __init__(self, given):
        self.folder, self.name, self.first_byte_millis = given["folder"], given["name"], given["firstByteMillis"]
        self.oracle = Oracle(given["protocol"])
        self.wire = Wire(given["protocol"], given["samples"])
        # The well-formed peer of each phase: the first sample that is legal there, or the first of all where none is.
        self.good = {phase: self.good_case(phase) for phase in self.wire.phases}
        self.good_answers = {}
        for phase, stream in self.wire.frames():
            if self.oracle.predict(phase, stream)[0] != "accepted":
                raise SystemExit(f"a sample is not a good message in the phase {phase!r}: {stream!r}")
        self.counts = collections.Counter()
        self.outcomes = collections.Counter()
        self.codes = collections.Counter()

    def path(self, phase):
        return f"{self.folder}/{self.name} {phase}"

    def good_case(self, phase):
        legal = self.wire.phases[phase]["legal"]
        messages = [sample["message"] for sample in self.wire.samples if sample["name"] in legal]
        return Case(phase, (frame(compact([*messages, self.wire.samples[0]["message"]][0])),))

    def run(self, cases):
        cases = iter(cases)
        while batch := list(itertools.islice(cases, BATCH // 2)):
            peers = []
            for case in batch:
                for each in (case, self.good[case.phase]):
                    peer = Peer(self, each)
                    peer.send_piece()
                    peers.append(peer)
            while unfinished := [peer for peer in peers if peer.unsent]:
                for peer in unfinished:
                    peer.wait_until_read()
                for peer in unfinished:
                    peer.send_piece()
            for mutant, good in zip(peers[::2], peers[1::2]):
                self.counts["mutants"] += 1
                if mutant.case.vanishes:
                    self.outcomes["unheard"] += 1
                else:
                    self.compare(mutant.case, self.answer_of(mutant))
                self.compare_good(good)

    def compare_good(self, peer):
        self.counts["well-formed peers"] += 1
        answer = self.answer_of(peer)
        # An answer that was found right is right again: this is the half of the peers that are all alike.
        if self.good_answers.get(peer.case.phase) != answer and self.compare(peer.case, answer, counted=False):
            self.good_answers[peer.case.phase] = answer

    def answer_of(self, peer):
        """A reader that does not answer has hung: nothing more can be asked of it."""
        try:
            return peer.answer()
        except OSError as error:
            self.mismatch(peer.case, self.oracle.predict(peer.case.phase, peer.case.stream, peer.case.ends), error)
            raise SystemExit(1) from error

    def compare(self, case, answer, counted=True, predicted=None):
        predicted = predicted or self.oracle.predict(case.phase, case.stream, case.ends)
        actual, problem = self.read(answer)
        if actual is None or not same(predicted, actual):
            self.mismatch(case, predicted, problem or actual)
            return False
        if counted:
            outcome = predicted[0]
            self.outcomes[outcome] += 1
            if outcome in self.oracle.codes:
                self.codes[self.oracle.codes[outcome]] += 1
        return True

    def read(self, answer):
        """((outcome, value, rest), None) as the reader answered, or (None, what is wrong with the answer)."""
        try:
            report, behind = next_frame(answer)
            outcome = report["outcome"]
            if outcome == "end":
                return (outcome, None, behind), None
            message, rest = next_frame(behind)
            if outcome == "accepted":
                return (outcome, message, rest), None
            self.oracle.check_shape("error", message)
        except (struct.error, ValueError, KeyError, Refused) as error:
            return None, f"an answer that cannot be read ({error!r}): {answer[:300]!r}"
        if message["code"] != self.oracle.codes[outcome]:
            return None, f"{outcome} told under the code {message['code']}"
        return (outcome, None, rest), None

    def mismatch(self, case, predicted, actual):
        self.counts["mismatches"] += 1
        if self.counts["mismatches"] > PRINTED:
            return
        print(f"{self.name} in the phase {case.phase!r}", file=sys.stderr)
        print(f"  bytes     {' | '.join(piece.hex() for piece in case.pieces)}", file=sys.stderr)
        print(f"  as text   {case.stream[:300]!r}", file=sys.stderr)
        print(f"  predicted {repr(predicted)[:600]}", file=sys.stderr)
        print(f"  actual    {repr(actual)[:600]}", file=sys.stderr)


def next_frame(stream):
    (length,) = struct.unpack(">I", stream[:4])
    if len(stream) < 4 + length:
        raise ValueError("a frame cut short")
    payload = stream[4 : 4 + length]
    return json.loads(payload.decode(), parse_int=number, parse_float=number), stream[4 + length :]


def same(predicted, actual):
    """Values are compared as JSON text, in which 1 and true differ; the order of keys does not matter."""
    (outcome, value, rest), (actual_outcome, actual_value, actual_rest) = predicted, actual
    return (outcome, rest, canonical(value)) == (actual_outcome, actual_rest, canonical(actual_value))


def canonical(value):
    return json.dumps(value, sort_keys=True)


class Timed:
    """A peer that begins to send `stream` after `wait` seconds and never ends its half.

    `due`: for each byte, in how many seconds after the first it is sent. The answer must come between `earliest` and
    `latest` seconds after the first byte, or after the peer connected when it sends none.
    """

    def __init__(self, judge, phase, stream, due, earliest, latest, wait=0):
        self.case = Case(phase, (stream,), ends=False)
        self.due, self.earliest, self.latest = due, earliest, latest
        self.sent = 0
        self.answer = b""
        self.took = self.spent = None
        self.began = time.monotonic() + wait
        self.socket = Peer(judge, self.case).socket

    def drip(self, now):
        if self.took is not None or now < self.began or self.sent == len(self.due):
            return
        if self.sent == 0:
            self.began = now
        end = bisect.bisect_right(self.due, now - self.began)
        if end > self.sent:
            self.socket.sendall(self.case.stream[self.sent : end])
        self.sent = end
        if self.sent == len(self.due):
            self.spent = now - self.began

    def receive(self, now):
        """True at the end of the answer. When it begins, this end has nothing more to say."""
        if self.took is None:
            self.took = now - self.began
            self.spent = self.took if self.spent is None else self.spent
            self.socket.shutdown(socket.SHUT_WR)
        piece = self.socket.recv(1 << 18)
        self.answer += piece
        return piece == b""


def timed_peers(judge):
    whole = judge.oracle.limits["frameMillis"] / 1000
    first_byte = judge.first_byte_millis / 1000
    # A frame's time runs from its first byte as the reader sees it, which is never before it was sent.
    late = (whole, whole + 0.5)
    for phase, good in judge.wire.frames():
        # Even; or the header takes most of the time, so that none is left for the payload.
        even = [at / (len(good) - 1) for at in range(len(good))]
        uneven = [0.7 * at / 3 if at < 4 else 0.7 + 0.3 * even[at] for at in range(len(good))]
        for shares in (even, uneven):
            yield Timed(judge, phase, good, [1.3 * whole * share for share in shares], *late)
            in_time = [0.75 * whole * share for share in shares]
            for wait in (0, 0.8 * first_byte):
                yield Timed(judge, phase, good, in_time, 0.75 * whole, whole, wait)
        for stalled in (good[:1], good[:4], good[:-1]):
            yield Timed(judge, phase, stalled, [0] * len(stalled), *late)
        yield Timed(judge, phase, b"", [], first_byte, first_byte + 0.5)


def run_timed(judge):
    """All of them at the same time; meanwhile well-formed peers must be served at once."""
    waiting = {timed.socket.fileno(): timed for timed in timed_peers(judge)}
    poll = select.poll()
    for fd in waiting:
        poll.register(fd, select.POLLIN)
    phases = itertools.cycle(judge.wire.phases)
    next_good = 0.0
    slowest = 0.0
    while waiting:
        now = time.monotonic()
        for timed in waiting.values():
            timed.drip(now)
        for fd, _ in poll.poll(1):
            if waiting[fd].receive(time.monotonic()):
                poll.unregister(fd)
                judge_timed(judge, waiting.pop(fd))
        if now >= next_good:
            good = Peer(judge, judge.good[next(phases)])
            good.send_piece()
            judge.compare_good(good)
            slowest = max(slowest, time.monotonic() - now)
            next_good = now + 0.02
    judge.counts["ms for the slowest well-formed peer"] = round(slowest * 1000)


def judge_timed(judge, timed):
    timed.socket.close()
    frame_seconds = judge.oracle.limits["frameMillis"] / 1000
    last_due = timed.due[-1] if timed.due else 0
    if 0 < last_due < frame_seconds and timed.spent > 0.9 * frame_seconds:
        # This process had to wait for the processor and could not do what it meant to: that says nothing of the reader.
        judge.counts["sent too late for a verdict"] += 1
        return
    judge.counts["mutants"] += 1
    if last_due > frame_seconds:
        # What crossed the answer on its way is behind it, and how much that is nobody knows.
        judge.compare(timed.case, two_frames(timed.answer), predicted=("deadline", None, b""))
    else:
        judge.compare(timed.case, timed.answer)
    if not timed.earliest <= timed.took <= timed.latest:
        due = f"an answer after {timed.earliest} to {timed.latest} s"
        judge.mismatch(timed.case, due, f"after {timed.took:.3f} s")


def two_frames(stream):
    rest = stream
    for _ in range(2):
        rest = next_frame(rest)[1]
    return stream[: len(stream) - len(rest)]


def main():
    given = json.load(sys.stdin)
    judge = Judge(given)
    section = given["section"]
    if section == "time":
        run_timed(judge)
    else:
        judge.run(SECTIONS[section](judge.wire))
    counts = {**judge.counts, "outcomes": judge.outcomes, "codes": judge.codes}
    print(json.dumps({"mismatches": 0, **counts}))
    sys.exit(1 if judge.counts["mismatches"] else 0)


main()
