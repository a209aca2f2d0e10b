import { readFileSync } from "node:fs";
import path from "node:path";
import t from "tap";
import { ERRNO_NAMES } from "../../abi/errno.ts";
import { control } from "../../protocol/control.ts";
import type { Protocol } from "../../protocol/definition.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";

const spec = path.join(import.meta.dirname, "../../spec");
const protocols: Readonly<Record<string, Protocol>> = { "terminal-broker.md": terminalBroker, "control.md": control };

/** Every `word` between backticks of a row of a table whose first cell names `subject`. */
function rowOf(page: string, subject: string): readonly string[] | undefined {
  for (const line of page.split("\n")) {
    const [, first = "", ...cells] = line.split("|");
    if (first.includes(`\`${subject}\``))
      return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, word = ""]) => word));
  }
  return undefined;
}

for (const [file, protocol] of Object.entries(protocols)) {
  const page = readFileSync(path.join(spec, file), "utf8");

  t.test(`${file} has a row for every message with exactly its fields, and for every phase with its messages`, (t) => {
    for (const [name, schema] of Object.entries(protocol.messages)) {
      const words = rowOf(page, name) ?? [];
      for (const field of Object.keys(schema.properties)) t.ok(words.includes(field), `${name} has ${field}`);
    }
    for (const [name, { legal }] of Object.entries(protocol.phases)) {
      const row = rowOf(page, name);
      t.ok(row, name);
      if (name !== "opened" || protocol !== control) t.same(row, legal, `what is legal in ${name}`);
    }
    t.end();
  });

  t.test(`${file} names the protocol, its limits and every word of an enumeration`, (t) => {
    t.ok(page.includes(`\`${protocol.abi}\``));
    t.ok(page.includes(`at most ${String(protocol.limits.maxPayload)} bytes`));
    for (const [name, schema] of Object.entries(protocol.messages)) {
      for (const field of Object.values(schema.properties)) {
        if (!("enum" in field) || field.enum === (ERRNO_NAMES as readonly string[])) continue;
        for (const word of field.enum) t.ok(page.includes(`\`${word}\``), `${word} of ${name}`);
      }
    }
    t.end();
  });
}

t.test("errors.md lists the errno names of the wire and the codes of every fault", (t) => {
  const page = readFileSync(path.join(spec, "errors.md"), "utf8");
  for (const name of ERRNO_NAMES) t.ok(page.includes(`\`${name}\``), name);
  const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.replaceAll("`", "").trim()));
  for (const [kind, code] of Object.entries(terminalBroker.faultCodes)) {
    const row = rows.find((cells) => cells[1] === kind) ?? [];
    t.equal(row[3], code, `${kind} at the broker`);
    t.equal(row[4], control.faultCodes[kind as keyof typeof control.faultCodes], `${kind} at the control socket`);
  }
  t.end();
});

t.test("every page of the index is there", (t) => {
  const index = readFileSync(path.join(spec, "README.md"), "utf8");
  for (const [, page = ""] of index.matchAll(/\]\(([a-z-]+\.md)\)/gu)) {
    t.doesNotThrow(() => readFileSync(path.join(spec, page)), page);
  }
  t.end();
});
