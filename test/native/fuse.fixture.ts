/** Serves a FUSE mount of one empty directory, as little as the kernel needs to answer stat(1), and prints what it saw. */
import { spawn } from "node:child_process";
import { closeSync, constants as files, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { constants, fuseExchange, mount, umount2, type Fd } from "../../native/index.ts";

const [, , target = ""] = process.argv;
const FUSE_INIT = 26;
const FUSE_GETATTR = 3;
const FUSE_STATFS = 17;
const REPLY = 2 << 20;
const ENOSYS = 38;

const fuse = openSync("/dev/fuse", files.O_RDWR | files.O_NONBLOCK) as Fd;
const bytes = Buffer.alloc(REPLY + 4096);
console.log("before the mount", fuseExchange(fuse, bytes, REPLY, 0, 0, 1, 0));
const data = `fd=${String(fuse)},rootmode=40000,user_id=0,group_id=0,allow_other`;
mount("cortexfs", target, "fuse.cortexfs", constants.MS_NOSUID | constants.MS_NODEV, data);

let replyLength = 0;
const seen = new Set<number>();

/** Reads one request, after the reply to the one before; false when there is none. */
function step(): boolean {
  const count = fuseExchange(fuse, bytes, REPLY, replyLength, 0, 1, 50);
  replyLength = 0;
  if (count < 0) throw new Error(`fuseExchange: ${String(count)}`);
  if (count === 0) return false;
  const opcode = bytes.readUInt32LE(4);
  seen.add(opcode);
  bytes.fill(0, REPLY, REPLY + 256);
  replyLength = 16;
  const payload = REPLY + 16;
  switch (opcode) {
    case FUSE_INIT:
      bytes.writeUInt32LE(7, payload);
      bytes.writeUInt32LE(31, payload + 4);
      bytes.writeUInt32LE(1 << 20, payload + 20);
      replyLength += 64;
      break;
    case FUSE_GETATTR:
      bytes.writeUInt32LE(0o040755, payload + 16 + 60);
      bytes.writeUInt32LE(4711, payload + 16 + 68);
      replyLength += 104;
      break;
    case FUSE_STATFS:
      replyLength += 80;
      break;
    default:
      bytes.writeInt32LE(-ENOSYS, REPLY + 4);
  }
  bytes.writeUInt32LE(replyLength, REPLY);
  bytes.copy(bytes, REPLY + 8, 8, 16);
  return true;
}

const child = spawn("stat", ["--format=%u %a", target], { stdio: ["ignore", "inherit", "inherit"] });
while (child.exitCode === null) if (!step()) await delay(1);
console.log("seen", seen.has(FUSE_INIT), seen.has(FUSE_GETATTR));
umount2(target, constants.MNT_DETACH);
await delay(50);
let count = 0;
for (let tries = 0; tries < 100 && count >= 0; tries++) {
  count = fuseExchange(fuse, bytes, REPLY, 0, 0, 1, 0);
  if (count === 0) await delay(10);
}
console.log("after the mount", count);
closeSync(fuse);
