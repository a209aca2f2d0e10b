"""The mutants: every way a peer may get a frame wrong, one at a time, each made from a good sample.

A section is a function from a `Wire` to its cases, in the same order every time.
"""

import json
import re
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    phase: str
    # Each is sent after the server has read the one before.
    pieces: tuple
    # Ends its half behind the last piece; else it keeps the connection and says nothing more.
    ends: bool = True
    # How many descriptors come attached to each piece.
    descriptors: int = 0
    # Closes the connection without having read a byte of the answer.
    vanishes: bool = False

    @property
    def stream(self):
        return b"".join(self.pieces)


class Wire:
    """A protocol and its samples: `samples` is a list of {name, message}."""

    def __init__(self, protocol, samples):
        self.limits = protocol["limits"]
        self.messages = protocol["messages"]
        self.phases = protocol["phases"]
        self.samples = samples

    def good(self):
        """(phase, message, payload) of each sample, in the first phase in which it is legal."""
        for sample in self.samples:
            phase = next(phase for phase, table in self.phases.items() if sample["name"] in table["legal"])
            yield phase, sample["message"], compact(sample["message"])

    def frames(self):
        for phase, _, payload in self.good():
            yield phase, frame(payload)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def frame(payload, length=None):
    return struct.pack(">I", len(payload) if length is None else length) + payload


def every_phase(wire):
    for sample in wire.samples:
        for phase in wire.phases:
            yield Case(phase, (frame(compact(sample["message"])),))


def precedence(wire):
    """What is wrong in two ways: no JSON is told before the phase, that before the fields, and these in their order."""
    limit = wire.limits["maxDepth"]
    for phase in wire.phases:
        for _, message, payload in wire.good():
            buried = [b'"x":' + b"[" * depth + b"]" * depth for depth in (limit - 1, limit)]
            for broken in (b'"op":null', b'"x":0', b'"x":0,"x":0', b'"x":"\\ud800"', b"", *buried):
                yield Case(phase, (frame(b"{" + broken + b"," + payload[1:]),))
            for field in message:
                yield Case(phase, (frame(compact({**message, field: 0})),))
                yield Case(phase, (frame(compact({key: inner for key, inner in message.items() if key != field})),))
        for name in ("toString", "__proto__", "constructor", "", "\0", "Status"):
            for tag in ("op", "type"):
                yield Case(phase, (frame(compact({tag: name})),))
    for phase, message, _ in wire.good():
        for one in message:
            for bad in ("a/b", 7):
                wrong = {**message, one: bad}
                yield Case(phase, (frame(compact({**wrong, "x": 0})),))
                for other in [key for key in message if key != one]:
                    yield Case(phase, (frame(compact({key: wrong[key] for key in wrong if key != other})),))
                    for worse in ("a/b", 7):
                        yield Case(phase, (frame(compact({**wrong, other: worse})),))


def bits(wire):
    for phase, good in wire.frames():
        for bit in range(8 * len(good)):
            mutant = bytearray(good)
            mutant[bit // 8] ^= 1 << bit % 8
            yield Case(phase, (bytes(mutant),))


def other_bytes(wire):
    """Every byte replaced by each other byte: half a million mutants and more."""
    for phase, good in wire.frames():
        for at in range(len(good)):
            for byte in range(256):
                if byte != good[at]:
                    yield Case(phase, (good[:at] + bytes([byte]) + good[at + 1 :],))


def truncations(wire):
    for phase, good in wire.frames():
        for length in range(len(good)):
            yield Case(phase, (good[:length],))


def splits(wire):
    for phase, good in wire.frames():
        for at in range(1, len(good)):
            yield Case(phase, (good[:at], good[at:]))


def lengths(wire):
    limit = wire.limits["maxPayload"]
    for phase, _, payload in wire.good():
        pad = b" " * (limit - len(payload))
        for whole in (payload + pad, pad + payload, payload[:1] + pad + payload[1:], payload[:-1] + pad + payload[-1:]):
            yield Case(phase, (frame(whole),))
            yield Case(phase, (frame(whole)[:-1],))
            yield Case(phase, (frame(whole + b" "),))
            yield Case(phase, (frame(whole + b" ", limit),))
        near = (len(payload) - 1, len(payload) + 1)
        for length in (0, 1, *near, limit, limit + 1, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 1):
            yield Case(phase, (frame(payload, length),))
            yield Case(phase, (frame(b"", length),))
        yield Case(phase, (struct.pack("<I", len(payload)) + payload,))
        yield Case(phase, (struct.pack("=H", len(payload)) + payload,))


def behind(wire):
    for phase, good in wire.frames():
        for rest in (good, good * 3, good[:-1], b"\0", b"\0\0\0\0", b"\xff" * 5, b"F", b" ", b"\x1b[8;24;80t" * 400):
            yield Case(phase, (good + rest,))
            yield Case(phase, (good, rest))
        yield Case(phase, (good[:1], good[1:] + b"\n"))
        yield Case(phase, (frame(b"{}") + good,))


def attached(wire):
    for phase, good in wire.frames():
        for count in (1, 253):
            yield Case(phase, (good,), descriptors=count)
            yield Case(phase, (good[:3], good[3:9], good[9:] + b"F"), descriptors=count)
            yield Case(phase, (good[:-1],), descriptors=count)


def vanishing(wire):
    for phase, good in wire.frames():
        for length in (0, 1, 4, len(good) - 1, len(good)):
            yield Case(phase, (good[:length],), vanishes=True)
        yield Case(phase, (frame(b"", 0),), vanishes=True)
        yield Case(phase, (frame(b"[]") + good * 9,), vanishes=True)
        yield Case(phase, (good[:2], good[2:]), vanishes=True)


# What is put in the place of a value of each kind: JSON text, or nearly so.
NUMBERS = """
0 -0 1 -1 0.5 1.0 1e0 10e-1 0.1e1 1E+0 1e-1 1e400 -1e400 1e-400 00 01 -01 +1 .5 1. 1.e1 1e 1e+ - -- 0x10 0b1 1_000 1n
4194304.0000000001 9007199254740991 9007199254740991.4 9007199254740992 9007199254740993 -9007199254740993
18446744073709551616 NaN Infinity -Infinity nan inf \u0661
""".split()
NUMBERS += ["9" * 400, "1" + "0" * 3000, "0." + "0" * 1000 + "1", "1e" + "9" * 50]
CONTAINERS = """
[] {} [1] ["read"] ["a"] {"a":1} {"a":["read"]} {"a":["x"]} {"":[]} {"x/y":[]} {"__proto__":["read"]} {"a":[],"a":[]}
[[]] [["a","b","c"]] [["a","b"]] [["a","b","c","d"]] [["a","b","c","d","e"]] [,] [1,] {"a"} {"a":} {a:1} [} {] [ {
""".split()
TEXTS = [
    "", "x", "read", "a.sock", "a.d", ".sock", ".d", "a.sockx", "a.d.e", "sock", "d", "a.D", "a\n", "a.d\n", "\na",
    "a.d\r", "a\u2028", "a.d\u2028", "-a", ".a", "_a", "+a", "a+", "a b", "a/b", "a/b/c", "a/", "/a", "a/b.d",
    "\u00e9", "\u0661", "\uff41", "a\u0301", "\u212a", "\u017f", "a\0", "a\x7f", "a\x80", "a\t", "\u001f", " a", "a ",
    "..", "A9._+-", "/", "//", "/\n", "/a\0", "/\u2028", "relative", "1:0", "0:0", "01:1", "1:01", "1:", ":1",
    "1:2:3", "-1:1", "9999999:1", "10000000:1", "1:1000000000000000", "1:0\n", "\u0661:0", "A" * 23 + "=",
    "A" * 23 + "+", "A" * 23 + "/", "AAAA", "AAA=", "AA==", "A===", "====", "AAAA====", "AA=A", "AAAAA", "AAA=\n",
    "AA==AA==", "AAAA\n", "A" * 65470 + "==", "A" * 64000 + "-AAA", "a.service", ".service", "a.service\n",
    "a+.service", "service", "a.Service", "rwx", "r--", "rwx\n", "xwr", "rw", "F" * 64, "f" * 64 + "\n", "toString",
    "__proto__",
]
SPELLINGS = [
    r'"\ud800"', r'"\udfff"', r'"a\ud800b"', r'"\udc00\ud800"', r'"\ud83d\ude00"', r'"\ud83d\\ude00"', r'"\ud83d"',
    r'"\uD800\uDBFF"', r'"\u0000"', r'"\u0061"', r'"\x61"', r'"\u61"', r'"\u00g1"', r'"\U00000061"', r'"\a"', r'"\'"',
    r'"\/"', r'"\b\f\n\r\t"', r'"\"', '"', "'a'", '"a', 'a"', '"a"b', '"a""b"', '"a" "b"', "`a`", '"\t"', '"\n"',
    '"\x00"', '"\x1f"', '"\x7f"', '"\u2028"',
]
# And of any kind.
OTHERS = 'null true false True None undefined nul truefalse 0 -0 1 1e400 NaN [] {} [["a"]] {"a":1} "" "x"'.split()
OTHERS += ["", r'"\ud800"', r'"a\u0000"', '"\t"']
KEYS = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "", " ", "0", "-1", "op", "type", "Op"]
KEYS += ["op ", "abi\0", "a" * 64, "a" * 65, "x.d", "\u00e9", "\U0001f4df", "\ufeffop", "ABI", "data_b64", "extra"]
BAD_KEYS = [r'"\ud800"', r'"\udc00x"', r'"\u005f_proto__"', '"\t"', "op", "'op'", "1", "null", '"op":"op"', ""]


def escaped(text):
    """JSON text of a string, every UTF-16 unit of it spelled \\uXXXX."""
    units = struct.unpack(f">{len(text.encode('utf-16-be')) // 2}H", text.encode("utf-16-be"))
    return '"' + "".join(f"\\u{unit:04X}" for unit in units) + '"'


def shapes_of(value, schema):
    """Every text one step away from `value`, the step being at any place inside it."""
    yield from OTHERS
    yield from bounds_of(value, schema)
    if isinstance(value, dict):
        yield from CONTAINERS
        yield from shapes_of_object(value, schema)
    elif isinstance(value, list):
        yield from CONTAINERS
        items = [dump(item) for item in value]
        for at, item in enumerate(value):
            yield from (listed(items, at, shape) for shape in shapes_of(item, schema["items"]))
            yield "[" + ",".join(items[:at] + items[at + 1 :]) + "]"
    elif isinstance(value, str):
        yield escaped(value)
        yield dump([value])
        yield dump({value: value})
        for text in (value + "\n", "\n" + value, value + "\0", value + " ", value * 2, value[:-1], value.upper()):
            yield dump(text)
        if "pattern" in schema:
            yield from SPELLINGS
            yield from map(dump, TEXTS)
    elif schema["type"] == "integer":
        yield from NUMBERS
        yield from (f"{value}.0", f"{value}e0", f"-{value}", f'"{value}"', f"{value}.5", str(value + 1), str(value - 1))


def bounds_of(value, schema):
    """The same with as much as each bound of the schema allows, and with one more and one less."""
    for bound in ("minItems", "maxItems"):
        if bound in schema:
            item = value[0] if value else "a"
            yield from (dump([item] * (schema[bound] + more)) for more in (-1, 0, 1))
    if "maxProperties" in schema:
        for more in (0, 1):
            yield dump({f"k{at}": [] for at in range(schema["maxProperties"] + more)})
    for bound in ("minimum", "maximum"):
        if bound in schema:
            yield from (str(schema[bound] + more) for more in (-1, 0, 1))
    # A pattern counts only a part of its text: the lengths of the whole are not far above.
    for number in {int(number) for number in re.findall(r"\{(?:\d+,)?(\d+)\}", schema.get("pattern", ""))}:
        for length in (*range(number - 1, number + 5), number + 8, number + 9):
            for filling in ("a", "\U0001f4df"):
                yield dump(value[:1] + filling * (length - len(value)) + value[1:])


def shapes_of_object(value, schema):
    members = [(dump(key), dump(inner)) for key, inner in value.items()]
    for at, (key, inner) in enumerate(value.items()):
        name, text = members[at]
        before, behind = members[:at], members[at + 1 :]
        form = schema["properties"][key] if "properties" in schema else schema["additionalProperties"]
        yield from (joined([*before, (name, shape), *behind]) for shape in shapes_of(inner, form))
        yield joined([*before, *behind])
        yield joined([*before, (escaped(key), text), *behind])
        yield from (joined([*before, (bad, text), *behind]) for bad in BAD_KEYS)
        for again in (name, escaped(key)):
            for other in (text, "null", '"x"', "[]"):
                yield joined([(again, other), *members])
                yield joined([*members, (again, other)])
                yield joined([*before, (name, text), (again, other), *behind])
    for unknown in [*map(dump, KEYS), *BAD_KEYS]:
        for inner in ("1", "null", '["read"]'):
            yield joined([*members, (unknown, inner)])
            yield joined([(unknown, inner), *members])
            # Two unknown keys, or one that is there twice.
            yield joined([(unknown, inner), *members, (unknown, inner)])
    yield joined(reversed(members))
    yield joined([])


def dump(value):
    return json.dumps(value, ensure_ascii=False)


def joined(members):
    return "{" + ", ".join(f"{key}: {inner}" for key, inner in members) + "}"


def listed(items, at, shape):
    return "[" + ", ".join([*items[:at], shape, *items[at + 1 :]]) + "]"


def shapes(wire):
    for sample, (phase, message, _) in zip(wire.samples, wire.good()):
        for text in dict.fromkeys(shapes_of(message, wire.messages[sample["name"]])):
            yield Case(phase, (frame(text.encode()),))


def depths(wire):
    """Each value of the message buried in containers: to the limit, one deeper, and as deep as a frame can hold."""
    limit = wire.limits["maxDepth"]
    for phase, message, payload in wire.good():
        room = (wire.limits["maxPayload"] - len(payload) - 64) // 8
        for field in message:
            for depth in {*range(1, limit + 3), 100, 1000, min(room, 6000)}:
                for opening, closing in (("[", "]"), ('{"a":', "}")):
                    text = {**message, field: "@"}
                    buried = opening * depth + "1" + closing * depth
                    yield Case(phase, (frame(compact(text).replace(b'"@"', buried.encode())),))
        for depth in {*range(1, limit + 3), 30_000, wire.limits["maxPayload"] // 2}:
            deep = b"[" * depth + b"]" * depth
            objects = b'{"a":' * depth + b"1" + b"}" * depth
            for whole in (deep, b"[" * depth, objects, payload[:-1] + b',"x":' + deep + b"}"):
                yield Case(phase, (frame(whole),))


# Not UTF-8, or no JSON: put before, behind and inside.
BAD_BYTES = [
    b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe", b"\x00", b"\x80", b"\xbf", b"\xff", b"\xfe", b"\xc0\x80", b"\xc1\xbf",
    b"\xc0\xa2", b"\xe0\x80\xaf", b"\xe0\x9f\xbf", b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xc3", b"\xe2\x82",
    b"\xf0\x9f\x93", b"\xef\xbf\xbe", b"\xf4\x8f\xbf\xbf", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe3\x80\x80", b"\x0b",
    b"\x0c", b"\x1b", b"\x85", b"\r", b"\n", b"\t", b" ", b"x", b"{}", b",", b"]", b"}", b"{", b":", b'"', b"\\",
    b"//\n", b"/**/", b"#", b";", b"null", b"1",
]


def texts(wire):
    for phase, message, payload in wire.good():
        for bad in BAD_BYTES:
            yield Case(phase, (frame(bad + payload),))
            yield Case(phase, (frame(payload + bad),))
            # Inside a string, where one token meets another, inside a key.
            for mark in (b'"', b":", b"[", b"a"):
                for at in (payload.find(mark), payload.rfind(mark)):
                    if at >= 0:
                        yield Case(phase, (frame(payload[: at + len(mark)] + bad + payload[at + len(mark) :]),))
        text = payload.decode()
        for whole in (
            *("", " ", "null", "1", '""', '"op"', "[]", "{}", "[{}]", f"[{text}]", f"({text})", json.dumps(text)),
            *(text + text, f"{text}\n{text}", text[1:], text[:-1], text[:-1] + ",}", "{," + text[1:]),
            *(text.replace('"', "'"), text.replace('"', "", 2), text.replace(":", "="), text.replace(":", "::", 1)),
            *(text.replace(":", " : "), text.replace(",", ",,", 1), text.replace(",", ";", 1)),
        ):
            yield Case(phase, (frame(whole.encode()),))
        for encoding in ("utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-8-sig", "utf-7"):
            yield Case(phase, (frame(text.encode(encoding)),))
        for op in (None, 0, True, [], {}, "", "op", *(sample["name"] for sample in wire.samples)):
            # A message has one of the two; a second one, of any value, is an unknown field.
            yield Case(phase, (frame(compact({**message, "op": op})),))
            yield Case(phase, (frame(compact({**message, "type": op})),))


SECTIONS = {
    "every phase": every_phase,
    "precedence": precedence,
    "bits": bits,
    "truncations": truncations,
    "splits": splits,
    "lengths": lengths,
    "behind": behind,
    "shapes": shapes,
    "depths": depths,
    "texts": texts,
    "attached": attached,
    "vanishing": vanishing,
    "other bytes": other_bytes,
}
