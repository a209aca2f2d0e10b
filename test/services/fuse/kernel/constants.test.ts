import { readFileSync } from "node:fs";
import t from "tap";
import * as constants from "../../../../services/fuse/kernel/constants.ts";
import { OPERATIONS } from "../../../../services/fuse/kernel/opcode.ts";

const HEADER = "/usr/include/linux/fuse.h";
const header = readFileSync(HEADER, "utf8");

/** Numbers that a header as old as 7.38 has, by their names without FUSE_. */
function numbers(): Map<string, number> {
  const found = new Map<string, number>();
  for (const [, name = "", value = "", shift] of header.matchAll(
    /^#define\s+(?:FUSE_)?(\w+)\s+\(?(\d+)(?:U?L*\s*<<\s*(\d+))?\)?/gm,
  )) {
    found.set(name, shift === undefined ? Number(value) : Number(value) * 2 ** Number(shift));
  }
  for (const [, name = "", value] of header.matchAll(/^\s+FUSE_(\w+)\s*=\s*(\d+),/gm)) found.set(name, Number(value));
  return found;
}

t.test("numbers are those of <linux/fuse.h>, as far as it has them", (t) => {
  const known = numbers();
  let compared = 0;
  for (const [name, value] of Object.entries(constants)) {
    const theirs = known.get(name);
    if (theirs === undefined) continue;
    compared++;
    t.equal(value, theirs >= 2 ** 32 ? theirs / 2 ** 32 : theirs, name);
  }
  t.ok(compared > 35, `${String(compared)} of them`);
  t.end();
});

t.test("opcodes are those of <linux/fuse.h>, and none of its is missing", (t) => {
  const body = /enum fuse_opcode \{([^}]*)\}/.exec(header)?.[1] ?? "";
  const theirs = [...body.matchAll(/FUSE_(\w+)\s*=\s*(\d+)/g)].filter(([, name]) => !name?.endsWith("_RESERVED"));
  t.ok(theirs.length > 45);
  for (const [, name, code] of theirs) t.equal(OPERATIONS[Number(code)]?.name, name);
  for (const [code, operation] of OPERATIONS.entries()) if (operation !== undefined) t.equal(operation.code, code);
  t.end();
});
