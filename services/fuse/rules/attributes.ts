/** Reads `struct fuse_attr` of <linux/fuse.h> where a system call has written it; every field is little-endian. */

const INO = 0;
const SIZE = 8;
const MODE = 60;
const LINKS = 64;
const UID = 68;
const GID = 72;

const TWO_TO_32 = 4_294_967_296;

/** What the rules ask of a file; one of these is reused for each look. */
export class FileFacts {
  inoLow = 0;
  inoHigh = 0;
  /** Bytes; exact below 2^53. */
  size = 0;
  /** Type and permission bits. */
  mode = 0;
  links = 0;
  uid = 0;
  gid = 0;

  /** Takes the facts from the structure at `bytes[at]`. */
  read(bytes: Buffer, at: number): this {
    this.inoLow = bytes.readUInt32LE(at + INO);
    this.inoHigh = bytes.readUInt32LE(at + INO + 4);
    this.size = bytes.readUInt32LE(at + SIZE) + bytes.readUInt32LE(at + SIZE + 4) * TWO_TO_32;
    this.mode = bytes.readUInt32LE(at + MODE);
    this.links = bytes.readUInt32LE(at + LINKS);
    this.uid = bytes.readUInt32LE(at + UID);
    this.gid = bytes.readUInt32LE(at + GID);
    return this;
  }
}
