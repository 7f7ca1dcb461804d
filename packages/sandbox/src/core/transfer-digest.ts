import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import type { FileEnd } from './file-frames.ts';
import type { Link } from './link.ts';

/** Adds up the bytes of one transfer; both sides must come to the same end. */
export interface TransferDigest {
  /** How the request names it. */
  readonly name: 'crc32' | 'sha256';
  add(bytes: Uint8Array): void;
  /** What the end frame of these bytes says; asked once. */
  end(): FileEnd;
}

/** The channel is trusted, so a checksum that costs next to nothing is enough, where both sides know it. */
export function createTransferDigest(link: Link): TransferDigest {
  return link.has('crc32') && typeof zlib.crc32 === 'function' ? crc32Digest() : sha256Digest();
}

function crc32Digest(): TransferDigest {
  let size = 0;
  let sum = 0;
  return {
    name: 'crc32',
    add: (bytes) => {
      size += bytes.length;
      sum = zlib.crc32(bytes, sum);
    },
    end: () => ({ size, sha256: '', crc32: sum.toString(16).padStart(8, '0') }),
  };
}

function sha256Digest(): TransferDigest {
  let size = 0;
  const hash = createHash('sha256');
  return {
    name: 'sha256',
    add: (bytes) => {
      size += bytes.length;
      hash.update(bytes);
    },
    end: () => ({ size, sha256: hash.digest('hex'), crc32: '' }),
  };
}
