import t from "tap";
import {
  close,
  constants,
  mapShared,
  memorySeals,
  OwnedFd,
  readAt,
  sealedMemory,
  truncateFile,
} from "../../native/index.ts";

const { F_SEAL_GROW, F_SEAL_SEAL, F_SEAL_SHRINK } = constants;
const EPERM = 1;

t.test("sealed memory can neither shrink, grow nor lose its seals", (t) => {
  using memory = new OwnedFd(sealedMemory("cortexfs-test", 8192));
  const seals = F_SEAL_GROW | F_SEAL_SEAL | F_SEAL_SHRINK;
  t.equal(memorySeals(memory.fd) & seals, seals);
  t.equal(truncateFile(memory.fd, 4096), -EPERM);
  t.equal(truncateFile(memory.fd, 16384), -EPERM);
  t.throws(() => sealedMemory("x".repeat(250), 1), { code: "EINVAL" });
  t.end();
});

t.test("two mappings are the same memory, which outlives its descriptor", (t) => {
  const fd = sealedMemory("cortexfs-test", 8192);
  const one = new Uint8Array(mapShared(fd, 8192));
  const other = new Uint8Array(mapShared(fd, 4096));
  one.set([1, 2, 3], 4000);
  t.strictSame(other.subarray(4000, 4003), new Uint8Array([1, 2, 3]));
  const read = new Uint8Array(3);
  t.equal(readAt(fd, read, 0, 3, 4000), 3);
  t.strictSame(read, new Uint8Array([1, 2, 3]));
  close(fd);
  other[0] = 9;
  t.equal(one[0], 9);
  t.end();
});

t.test("no more is mapped than there is", (t) => {
  using memory = new OwnedFd(sealedMemory("cortexfs-test", 4096));
  t.throws(() => mapShared(memory.fd, 4097), { code: "EINVAL" });
  t.throws(() => mapShared(memory.fd, 0), { code: "EINVAL" });
  t.end();
});
