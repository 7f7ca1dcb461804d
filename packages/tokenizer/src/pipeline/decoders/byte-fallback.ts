/** The byte that a token such as `<0xE4>` stands for; null: it is no such token. */
export function fallbackByte(token: string): number | null {
  const match = /^<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>$/.exec(token);
  return match === null ? null : Number.parseInt(match[1] ?? '', 16);
}

/** A run of byte tokens becomes its text if it is one, else a replacement character for each of them. */
export function decodeFallbackBytes(tokens: readonly string[]): string[] {
  const parts: string[] = [];
  let run: number[] = [];
  for (const token of tokens) {
    const byte = fallbackByte(token);
    if (byte !== null) run.push(byte);
    else {
      parts.push(...textsOf(run), token);
      run = [];
    }
  }
  parts.push(...textsOf(run));
  return parts;
}

function textsOf(run: readonly number[]): string[] {
  if (run.length === 0) return [];
  const bytes = Uint8Array.from(run);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const isText = Buffer.compare(Buffer.from(text, 'utf8'), bytes) === 0;
  return isText ? [text] : run.map(() => '\ufffd');
}
