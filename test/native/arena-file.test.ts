import { constants as files, mkdirSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import t from "tap";
import * as native from "../../native/index.ts";
import { descriptorFlags, temporaryFolder } from "./child.ts";

const { EINVAL, ELOOP, ENOENT, EXDEV } = os.constants.errno;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = files;
const { UTIME_OMIT } = native.constants;
const folder = temporaryFolder(t);
writeFileSync(`${folder}/file`, "content");
symlinkSync("file", `${folder}/link`);
const dir = openSync(folder, "r") as native.Fd;
const file = openSync(`${folder}/file`, "r+") as native.Fd;
t.teardown(() => {
  native.close(dir);
  native.close(file);
});
const named = (name: string): Uint8Array => Buffer.from(`ab${name}\0`);
const arena = new Uint8Array(4096);
const view = new DataView(arena.buffer);

t.test("attributes are those of the name, of a link its own, and only of the device asked for", (t) => {
  const status = statSync(`${folder}/file`);
  t.equal(native.attributesAt(dir, named("file"), 2, arena, 8, native.fileDevice(dir)), 0);
  t.equal(view.getBigUint64(8, true), BigInt(status.ino));
  t.equal(view.getBigUint64(16, true), 7n);
  t.equal(view.getUint32(8 + 60, true), status.mode);
  t.equal(native.attributesAt(dir, named("link"), 2, arena, 0, 0), 0);
  t.equal(view.getUint32(60, true) & 0o170000, 0o120000);
  t.equal(native.attributesAt(dir, named("file"), 2, arena, 0, 1e9), -EXDEV);
  t.equal(native.attributesOf(file, arena, 0, 1e9), -EXDEV);
  t.equal(native.attributesAt(dir, named("none"), 2, arena, 0, 0), -ENOENT);
  t.end();
});

t.test("a name ends within the array, is at most 255 bytes and has no slash", (t) => {
  for (const name of [
    Buffer.from("file"),
    Buffer.from("a/b\0"),
    Buffer.from(`${"x".repeat(256)}\0`),
    Buffer.alloc(0),
  ]) {
    t.equal(native.attributesAt(dir, name, 0, arena, 0, 0), -EINVAL);
  }
  t.equal(native.attributesAt(dir, Buffer.from(`${"x".repeat(255)}\0`), 0, arena, 0, 0), -ENOENT);
  t.throws(() => native.attributesAt(dir, named("x"), 5, arena, 0, 0), RangeError);
  t.end();
});

t.test("a file is opened, never through a link, and read and written at its places", (t) => {
  t.equal(native.openAt(dir, named("link"), 2, O_RDONLY, 0), -ELOOP);
  const fd = native.openAt(dir, named("file"), 2, O_RDONLY, 0) as native.Fd;
  t.equal(descriptorFlags(fd) & (O_NOFOLLOW | O_NONBLOCK), O_NOFOLLOW | O_NONBLOCK);
  native.close(fd);
  t.equal(native.writeAt(file, Buffer.from("XY"), 0, 2, 1, false), 2);
  t.equal(native.writeAt(file, Buffer.from("end"), 0, 3, 0, true), 3);
  t.equal(readFileSync(`${folder}/file`, "utf8"), "cXYtentend");
  t.equal(native.setTimes(file, -5, 7, 0, UTIME_OMIT), 0);
  t.equal(statSync(`${folder}/file`).atimeMs, -5000 + 7e-6);
  t.end();
});

for (const plus of [false, true]) {
  t.test(`a thousand entries come once each through a small room${plus ? ", with attributes" : ""}`, (t) => {
    const many = temporaryFolder(t);
    for (let i = 0; i < 1000; i++) mkdirSync(`${many}/entry-${"x".repeat(i % 50)}${String(i)}`);
    const fd = openSync(many, "r") as native.Fd;
    const found: string[] = [];
    let [low, high] = [0, 0];
    for (;;) {
      const used = native.directoryEntries(fd, arena, 0, 700, low, high, plus, 0);
      if (used <= 0) {
        t.equal(used, 0);
        break;
      }
      for (let at = 0; at < used;) {
        const entry = at + (plus ? 128 : 0);
        [low, high] = [view.getUint32(entry + 8, true), view.getUint32(entry + 12, true)];
        const end = entry + 24 + view.getUint32(entry + 16, true);
        const name = Buffer.from(arena.subarray(entry + 24, end)).toString();
        if (plus) t.equal(view.getBigUint64(at + 40, true) === 0n, name.startsWith("."));
        found.push(name);
        at = (end + 7) & ~7;
      }
    }
    native.close(fd);
    t.equal(found.length, 1002);
    t.equal(new Set(found).size, 1002);
    t.equal(native.directoryEntries(dir, arena, 0, 16, 0, 0, plus, 0), -EINVAL);
    t.end();
  });
}

t.test("the pool writes and allocates", async (t) => {
  native.seek(file, 0, 0);
  t.equal(await native.writeInPool(file, Buffer.from("pool")), 4);
  t.match(readFileSync(`${folder}/file`, "utf8"), /^pool/u);
  t.equal(await native.allocateInPool(file, 0, 0, 100), 0);
  t.equal(statSync(`${folder}/file`).size, 100);
  t.equal(await native.allocateInPool(file, 0, 0, 0), -EINVAL);
});
