/**
 * CRC-32 as zlib and PNG have it (Node's own, zlib.crc32, is younger than 20.12). It finds every damage
 * within 32 bits and all but one in four thousand million of any other. It is for accidents: the one who
 * can write to the file can also write a checksum.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of the bytes; of what follows bytes whose checksum was `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) {
    crc = (table[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
