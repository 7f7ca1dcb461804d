import { maskedCrc32c } from './crc32c.ts';

/** One record of a TFRecord file: length, its checksum, the bytes, their checksum. */
export function tfRecord(bytes: Uint8Array): Uint8Array {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, checksum(length), bytes, checksum(bytes)]);
}

function checksum(bytes: Uint8Array): Uint8Array {
  const written = Buffer.alloc(4);
  written.writeUInt32LE(maskedCrc32c(bytes));
  return written;
}
