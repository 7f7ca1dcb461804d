/** What a tar archive says about one entry. */
export type TarEntry = Readonly<{
  name: string;
  type: 'file' | 'directory' | 'link' | 'hardlink' | 'other';
  mode: number;
  size: number;
  mtimeMs: number;
  linkTarget: string;
}>;

export const TAR_BLOCK = 512;

const TYPE_FLAGS = { file: '0', hardlink: '1', link: '2', directory: '5', other: '?' } as const;
const LARGEST_OCTAL_SIZE = 0o77777777777;

/** The padding that fills the last block of a body. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
}

/** The header blocks of an entry; what the old form cannot say goes into a pax header in front. */
export function tarHeader(entry: TarEntry): Buffer {
  const extra: Record<string, string> = {};
  if (!fits(entry.name)) extra.path = entry.name;
  if (!fits(entry.linkTarget)) extra.linkpath = entry.linkTarget;
  if (entry.size > LARGEST_OCTAL_SIZE) extra.size = String(entry.size);
  const header = ustar(entry, TYPE_FLAGS[entry.type]);
  return Object.keys(extra).length === 0 ? header : Buffer.concat([pax(extra), header]);
}

function fits(name: string): boolean {
  return Buffer.byteLength(name) <= 100 && /^[\x20-\x7e]*$/.test(name);
}

function pax(records: Record<string, string>): Buffer {
  const body = Buffer.concat(Object.entries(records).map(([key, value]) => record(key, value)));
  const entry: TarEntry = {
    name: 'PaxHeader',
    type: 'other',
    mode: 0o644,
    size: body.length,
    mtimeMs: 0,
    linkTarget: '',
  };
  return Buffer.concat([ustar(entry, 'x'), body, Buffer.alloc(tarPadding(body.length))]);
}

/** `LENGTH KEY=VALUE\n`, where the length counts its own digits too. */
function record(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length;
  while (length !== rest.length + String(length).length)
    length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

function ustar(entry: TarEntry, flag: string): Buffer {
  const block = Buffer.alloc(TAR_BLOCK);
  block.write(entry.name, 0, 100, 'utf8');
  octal(block, entry.mode & 0o7777, 100, 8);
  octal(block, 0, 108, 8);
  octal(block, 0, 116, 8);
  octal(block, Math.min(entry.size, LARGEST_OCTAL_SIZE), 124, 12);
  octal(block, Math.max(0, Math.floor(entry.mtimeMs / 1000)), 136, 12);
  block.write(flag, 156, 'latin1');
  block.write(entry.linkTarget, 157, 100, 'utf8');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function octal(block: Buffer, value: number, at: number, width: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1');
}

/** The sum over a header whose checksum field counts as spaces. */
export function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < TAR_BLOCK; at += 1) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}
