"""What a reader of a protocol must make of a peer's bytes, said from the protocol's schemas and limits alone.

It shares no code with the readers it judges: UTF-8 and JSON are Python's, and jsonschema says what a field may hold.
"""

import json
import math
import re
import struct

import jsonschema


class Refused(Exception):
    """The kind of a fault."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class Oracle:
    def __init__(self, protocol):
        self.limits = protocol["limits"]
        self.messages = protocol["messages"]
        self.phases = protocol["phases"]
        self.codes = protocol["faultCodes"]
        self.judged_fields = {}

    def predict(self, phase, stream, ends=True):
        """(outcome, value, rest): "accepted" with its value, "end", or the kind of a fault; and what stays unread.

        `ends`: the peer ends its half behind `stream`; else it says nothing more and keeps the connection.
        """
        starved = "partial" if ends else "deadline"
        if stream == b"":
            return ("end" if ends else "deadline"), None, b""
        if len(stream) < 4:
            return starved, None, b""
        (length,) = struct.unpack(">I", stream[:4])
        payload, rest = stream[4 : 4 + length], stream[4 + length :]
        if not 1 <= length <= self.limits["maxPayload"]:
            return "frame limit", None, stream[4:]
        if len(payload) < length:
            return starved, None, b""
        try:
            return "accepted", self.message(phase, payload), rest
        except Refused as refused:
            return refused.kind, None, rest

    def message(self, phase, payload):
        value = parse(payload, self.limits["maxDepth"])
        name = value["op"] if "op" in value else value.get("type")
        if not isinstance(name, str) or name not in self.messages:
            raise Refused("malformed")
        if name not in self.phases[phase]["legal"]:
            raise Refused("illegal")
        self.check_shape(name, value)
        return value

    def check_shape(self, name, value):
        """Missing fields, then unknown ones, then each field in the schema's order: the first that fails decides."""
        schema = self.messages[name]
        fields = schema["properties"]
        if any(field not in value for field in schema["required"]) or any(field not in fields for field in value):
            raise Refused("malformed")
        for field, form in fields.items():
            if field in value and not self.fits(name, field, form, value[field]):
                is_name = form.get("title") == "object name" and isinstance(value[field], str)
                raise Refused("name" if is_name else "malformed")

    def fits(self, name, field, form, value):
        # Most mutants change one field: the others were judged before.
        key = (name, field, json.dumps(value))
        if key not in self.judged_fields:
            self.judged_fields[key] = Validator(form).is_valid(value)
        return self.judged_fields[key]


def parse(payload, max_depth):
    try:
        value = json.loads(
            payload.decode("utf-8"),
            object_pairs_hook=object_without_duplicates,
            parse_int=number,
            parse_float=number,
            parse_constant=refuse_constant,
        )
    except (ValueError, RecursionError):  # every syntax error is a ValueError
        raise Refused("malformed") from None
    if not isinstance(value, dict):
        raise Refused("malformed")
    check_strings_and_depth(value, max_depth)
    return value


def object_without_duplicates(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("duplicate key")
    return value


def number(text):
    """JSON's numbers are doubles to the readers; integral ones are ints here, so that 1, 1.0 and 1e0 are one value."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is beyond a double")
    return int(value) if value.is_integer() else value


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def check_strings_and_depth(value, depth):
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise Refused("malformed")
    elif isinstance(value, (dict, list)):
        if depth == 0:
            raise Refused("malformed")
        for inner in [*value.keys(), *value.values()] if isinstance(value, dict) else value:
            check_strings_and_depth(inner, depth - 1)


def ecma_pattern(pattern):
    """An ECMA-262 pattern of our schemas (u flag) as Python reads it; both count code points."""
    python = ""
    in_class = False
    for token in re.findall(r"\\u[0-9a-f]{4}|\\.|.", pattern, re.DOTALL):
        if re.fullmatch(r"\\[^un.sS]", token):
            raise ValueError(f"{token} may differ between the two languages: say here what it means")
        if token in "[]":
            in_class = token == "["
        elif not in_class:
            token = {"$": r"\Z", ".": "[^\n\r\u2028\u2029]"}.get(token, token)
        python += token
    return re.compile(python)


compiled = {}


def check_pattern(_validator, pattern, instance, _schema):
    if pattern not in compiled:
        compiled[pattern] = ecma_pattern(pattern)
    if isinstance(instance, str) and not compiled[pattern].search(instance):
        yield jsonschema.ValidationError(f"does not match {pattern}")


Validator = jsonschema.validators.extend(jsonschema.Draft7Validator, {"pattern": check_pattern})
