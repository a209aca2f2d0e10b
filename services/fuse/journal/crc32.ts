const TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  TABLE[byte] = crc;
}

/** The CRC-32 of zlib over `length` bytes, continuing `before` (0 at first). Allocates nothing, as a view for zlib would. */
export function crc32Of(bytes: Uint8Array, at: number, length: number, before: number): number {
  let crc = ~before;
  for (let i = at; i < at + length; i++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0);
  return ~crc >>> 0;
}
