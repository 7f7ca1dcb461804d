import type { ToolContext } from '@hermes/tools';

/** A file's bytes, or why there are none. */
export type SmallFile =
  | Readonly<{ kind: 'bytes'; bytes: Uint8Array }>
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'refused'; message: string }>
  | Readonly<{ kind: 'unreadable'; message: string }>;

/** Reads a regular file of at most `maxBytes`; links, pipes and devices are refused unopened. */
export async function readSmallFile(
  tools: ToolContext,
  path: string,
  maxBytes: number,
): Promise<SmallFile> {
  const stat = await tools.stat(path);
  if (!stat.ok) {
    if (stat.code === 'FILE_NOT_FOUND') return { kind: 'missing' };
    return { kind: 'unreadable', message: `${path}: ${stat.code}` };
  }
  const { type, size } = stat.value;
  if (type !== 'file') return { kind: 'refused', message: `${path} is no regular file (${type})` };
  if (size > maxBytes)
    return { kind: 'refused', message: `${path} has more than ${maxBytes} bytes` };
  const read = await tools.readBytes(path);
  return read.ok
    ? { kind: 'bytes', bytes: read.value }
    : { kind: 'unreadable', message: `${path}: ${read.code}` };
}
