import os from "node:os";
import t from "tap";
import type { Agreement } from "../../../../services/fuse/kernel/connection.ts";
import { negotiate } from "../../../../services/fuse/kernel/negotiation.ts";
import { BODIES, message, u32, Wire } from "./wire.ts";

const { EIO, EPROTO } = os.constants.errno;
const INIT = 26;
const INIT_EXT = 1 << 30;
const EVERYTHING = 0xffff_ffff;
const REST = new Array<number>(11).fill(0);

const init = (major: number, minor: number, flags = EVERYTHING, flags2 = EVERYTHING): Buffer =>
  message(INIT, u32(major, minor, 131072, flags, flags2, ...REST), { node: 0, uid: 0, gid: 0, pid: 0 });
/** As it was before 7.36. */
const shortInit = (minor: number, flags: number): Buffer => message(INIT, u32(7, minor, 131072, flags));

function wireOf(): { wire: Wire; agreed: Agreement[] } {
  const agreed: Agreement[] = [];
  const wire = new Wire({ agreement: undefined, agreed: (agreement) => agreed.push(agreement) });
  return { wire, agreed };
}

t.test("everything that is wanted is agreed on with a kernel that offers it, and nothing else", async (t) => {
  const { wire, agreed } = wireOf();
  await using _ = wire;
  const { error, payload } = await wire.ask(init(7, 45));
  t.equal(error, 0);
  t.equal(payload.length, 64);
  const word = (index: number): number => payload.readUInt32LE(index * 4);
  const flags = [0, 3, 5, 12, 13, 14, 15, 18, 22, 28, 30].reduce((sum, bit) => sum + 2 ** bit, 0);
  const flags2 = (1 << 4) | (1 << 5) | (1 << 7);
  t.same([word(0), word(1), word(2)], [7, 45, 131072]);
  t.equal(word(3), flags);
  t.equal(payload.readUInt16LE(16), 64, "max_background");
  t.equal(payload.readUInt16LE(18), 48, "congestion_threshold");
  t.same([word(5), word(6)], [1 << 20, 1], "max_write and time_gran");
  t.equal(payload.readUInt16LE(28), 256, "max_pages");
  t.equal(payload.readUInt16LE(30), 0, "map_alignment");
  t.equal(word(8), flags2);
  t.equal(word(9), 1, "max_stack_depth");
  t.same(payload.subarray(40), Buffer.alloc(24));
  t.same(agreed, [{ minor: 45, flags, flags2 }]);
  t.same(wire.session.agreement, agreed[0]);
});

t.test("the lower minor is spoken, and what the kernel does not offer is not asked for", async (t) => {
  for (const [minor, spoken] of [
    [31, 31],
    [40, 40],
    [45, 45],
    [46, 45],
    [1000, 45],
  ] as const) {
    const { wire, agreed } = wireOf();
    await using _ = wire;
    const { error, payload } = await wire.ask(init(7, minor, 1 | INIT_EXT, 1 << 7));
    t.equal(error, 0);
    t.equal(payload.readUInt32LE(4), spoken);
    t.equal(payload.readUInt32LE(36), 0, "no stacking without passthrough");
    t.same(agreed, [{ minor: spoken, flags: 1 | INIT_EXT, flags2: 1 << 7 }]);
  }
});

t.test("the second word of flags is there only when the kernel says so", async (t) => {
  for (const request of [shortInit(31, EVERYTHING - INIT_EXT), shortInit(36, EVERYTHING), init(7, 36, 1)]) {
    const { wire, agreed } = wireOf();
    await using _ = wire;
    t.equal((await wire.ask(request)).error, 0);
    t.equal(agreed[0]?.flags2, 0);
  }
  for (let length = 0; length < 16; length++) {
    const { wire, agreed } = wireOf();
    await using _ = wire;
    const { error } = await wire.ask(message(INIT, Buffer.alloc(length, 7)));
    t.equal(error, -os.constants.errno.EINVAL);
    t.same(agreed, []);
  }
});

t.test("a newer major is told ours and asks again", async (t) => {
  const { wire, agreed } = wireOf();
  await using _ = wire;
  const first = await wire.ask(init(8, 3));
  t.equal(first.error, 0);
  t.same([first.payload.readUInt32LE(0), first.payload.readUInt32LE(4)], [7, 45]);
  t.same(agreed, []);
  t.equal((await wire.ask(init(7, 45))).error, 0);
  t.equal(agreed.length, 1);
});

t.test("an older major, or a minor before 31, is EPROTO", async (t) => {
  const { wire, agreed } = wireOf();
  await using _ = wire;
  for (const [major, minor] of [
    [0, 0],
    [6, 99],
    [7, 0],
    [7, 30],
  ] as const) {
    t.equal((await wire.ask(init(major, minor))).error, -EPROTO, `${String(major)}.${String(minor)}`);
  }
  t.same(agreed, []);
  t.equal(wire.session.agreement, undefined);
  t.same(negotiate({ major: 7, minor: 30, maxReadahead: 0, flags: 0, flags2: 0 }), { kind: "too old" });
});

t.test("a second INIT is refused, also when the first was another server's", async (t) => {
  const { wire, agreed } = wireOf();
  await using _ = wire;
  t.equal((await wire.ask(init(7, 45))).error, 0);
  t.equal((await wire.ask(init(7, 31))).error, -EIO);
  t.equal(agreed.length, 1);
  await using heir = new Wire();
  t.equal((await heir.ask(init(7, 45))).error, -EIO);
});

t.test("nothing is served before an agreement, and with an inherited one everything is", async (t) => {
  const { wire } = wireOf();
  await using _ = wire;
  for (const [opcode, body] of Object.values(BODIES)) t.equal((await wire.ask(message(opcode, body))).error, -EIO);
  t.same(wire.fileSystem.asked, []);
  await using heir = new Wire();
  t.equal((await heir.ask(message(...(BODIES["LOOKUP"] as [number, Buffer])))).error, 0);
});

t.test("an agreement that cannot be kept is none", async (t) => {
  await using wire = new Wire({
    agreement: undefined,
    agreed: () => {
      throw new Error("no room to keep it");
    },
  });
  t.equal((await wire.ask(init(7, 45))).error, -EIO);
  t.equal(wire.session.agreement, undefined);
  t.equal(wire.warnings.length, 1);
});
