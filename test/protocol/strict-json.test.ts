import fc from "fast-check";
import t from "tap";
import { Fault } from "../../protocol/fault.ts";
import { parseStrictObject, type JsonObject } from "../../protocol/strict-json.ts";

function parse(json: string | Uint8Array, depth = 8): JsonObject {
  return parseStrictObject(typeof json === "string" ? Buffer.from(json) : json, depth);
}

const wellFormedJson = fc.dictionary(
  fc.string({ unit: "grapheme" }),
  fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" }),
);

t.test("an object that JSON.stringify wrote is read as JSON.parse reads it", (t) => {
  fc.assert(
    fc.property(wellFormedJson, (value) => {
      const json = JSON.stringify(value);
      t.strictSame(parse(json), JSON.parse(json));
    }),
  );
  t.end();
});

t.test("a key written twice in one object is refused, however it is spelled and wherever it is", (t) => {
  for (const json of [
    '{"a":1,"a":1}',
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1,"b":2,"a":3}}',
    '{"x":[{"":1,"":1}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"b":":::","a":2}',
    '{"1":1,"1":2}',
  ]) {
    t.throws(() => parse(json), { kind: "malformed", message: /duplicate/u }, json);
  }
  fc.assert(
    fc.property(wellFormedJson, fc.nat(), (value, pick) => {
      const keys = Object.keys(value);
      const key = keys[pick % keys.length];
      if (key === undefined) return;
      const json = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(key)}:0}`;
      t.throws(() => parse(json), { name: "Fault", kind: "malformed" });
    }),
  );
  t.end();
});

t.test("colons, quotes and backslashes in strings are not taken for structure", (t) => {
  for (const value of [{ "a:b": '":"' }, { "\\": ":" }, { 'x"': '\\":' }, { a: "\\\\", ":": { ":": [":"] } }]) {
    t.same(parse(JSON.stringify(value)), value);
  }
  t.end();
});

t.test("a key that names a property of every object is a key like any other", (t) => {
  const value = parse('{"__proto__":1,"constructor":2,"toString":3}');
  t.same(Object.keys(value), ["__proto__", "constructor", "toString"]);
  t.equal(Object.getPrototypeOf(value), Object.prototype);
  t.end();
});

t.test("lone surrogates are refused in keys and strings at any depth, pairs are not", (t) => {
  for (const json of ['{"a":"\\ud800"}', '{"\\udfff":1}', '{"a":["x\\ud83d"]}', '{"a":{"b":"\\ude00\\ud83d"}}']) {
    t.throws(() => parse(json), { kind: "malformed", message: /surrogate/u }, json);
  }
  t.same(parse('{"a":"\\ud83d\\ude00"}'), { a: "\u{1f600}" });
  t.end();
});

t.test("containers nest as deep as the limit and no deeper", (t) => {
  const nested = (levels: number): string => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);
  for (const depth of [1, 2, 7]) {
    t.doesNotThrow(() => parse(nested(depth), depth));
    t.throws(() => parse(nested(depth + 1), depth), { kind: "malformed", message: /deep/u });
  }
  t.throws(() => parse('{"a":[]}', 1), { message: /deep/u });
  t.doesNotThrow(() => parse('{"a":[]}', 2));
  for (const opener of ["[", '{"a":']) {
    t.throws(() => parse(`{"a":${opener.repeat(10_000)}`), Fault, "unclosed");
    const closer = opener === "[" ? "]" : "}";
    t.throws(() => parse(`{"a":${opener.repeat(10_000)}1${closer.repeat(10_000)}}`), Fault, "closed");
  }
  t.end();
});

t.test("a number beyond a double is refused, the largest one is not", (t) => {
  for (const json of ['{"a":1e400}', '{"a":[-1e309]}']) t.throws(() => parse(json), { message: /double/u }, json);
  t.same(parse('{"a":1.7976931348623157e308}'), { a: Number.MAX_VALUE });
  t.end();
});

t.test("what is not one object in strict UTF-8 is refused", (t) => {
  const texts = [
    "",
    "1",
    "null",
    "[]",
    '"a"',
    "{",
    "{}{}",
    "{} x",
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":1,}',
    "{a:1}",
  ];
  for (const json of texts) t.throws(() => parse(json), { name: "Fault", kind: "malformed" }, json);
  const bytes = [
    [0xef, 0xbb, 0xbf, 0x7b, 0x7d],
    [0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d],
    [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d],
    [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
    [0x7b, 0x22, 0x00, 0x22, 0x3a, 0x31, 0x7d],
  ];
  for (const json of bytes)
    t.throws(() => parse(Uint8Array.from(json)), { name: "Fault", kind: "malformed" }, json.join(" "));
  t.same(parse(" \t\r\n{}\n"), {});
  t.end();
});
