/** Names of keys that stand for what a terminal sends, as tmux spells them. */
const NAMED: Readonly<Record<string, string>> = {
  Enter: '\r',
  Tab: '\t',
  BTab: '\u001b[Z',
  Space: ' ',
  Escape: '\u001b',
  BSpace: '\u007f',
  Up: '\u001b[A',
  Down: '\u001b[B',
  Right: '\u001b[C',
  Left: '\u001b[D',
  Home: '\u001b[H',
  End: '\u001b[F',
  IC: '\u001b[2~',
  DC: '\u001b[3~',
  PPage: '\u001b[5~',
  PageUp: '\u001b[5~',
  NPage: '\u001b[6~',
  PageDown: '\u001b[6~',
  F1: '\u001bOP',
  F2: '\u001bOQ',
  F3: '\u001bOR',
  F4: '\u001bOS',
  F5: '\u001b[15~',
  F6: '\u001b[17~',
  F7: '\u001b[18~',
  F8: '\u001b[19~',
  F9: '\u001b[20~',
  F10: '\u001b[21~',
  F11: '\u001b[23~',
  F12: '\u001b[24~',
};

const CONTROL_BITS = 0x1f;

/** What is typed for a list of keys: names (`Enter`, `C-c`, `M-x`) become their bytes, everything else is text. */
export function bytesOfKeys(keys: readonly string[]): Buffer {
  return Buffer.from(keys.map(textOf).join(''), 'utf8');
}

function textOf(key: string): string {
  const named = NAMED[key];
  if (named !== undefined) return named;
  const control = /^(?:C-|\^)([@-_a-z])$/.exec(key)?.[1];
  if (control !== undefined)
    return String.fromCharCode(control.toUpperCase().charCodeAt(0) & CONTROL_BITS);
  if (key === 'C-Space') return '\0';
  const meta = /^M-(.+)$/su.exec(key)?.[1];
  return meta !== undefined && [...meta].length === 1 ? `\u001b${meta}` : key;
}
