/** One instruction, its continuation lines joined. */
export type Instruction = Readonly<{ line: number; name: string; rest: string }>;

type Open = Readonly<{ line: number; text: string }>;

/** Splits a Dockerfile into instructions; comment lines and blank lines vanish, also inside a continuation. */
export function splitInstructions(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  let open: Open | null = null;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const continues = /\\\s*$/.test(raw);
    const part = raw.replace(/\\\s*$/, '');
    const begun: Open = open ?? { line: index + 1, text: '' };
    open = { line: begun.line, text: begun.text + part };
    if (continues) continue;
    instructions.push(toInstruction(open));
    open = null;
  }
  return open === null ? instructions : [...instructions, toInstruction(open)];
}

function toInstruction(open: Open): Instruction {
  const text = open.text.trim();
  const [name = ''] = text.split(/\s+/);
  return { line: open.line, name: name.toUpperCase(), rest: text.slice(name.length).trim() };
}

/** Whether a parser directive changes how the file is read (`# escape=`). */
export function hasEscapeDirective(text: string): boolean {
  for (const line of text.split(/\r?\n/)) {
    if (!/^\s*#\s*\w+\s*=/.test(line)) return false;
    if (/^\s*#\s*escape\s*=/i.test(line)) return true;
  }
  return false;
}
