import { afterReasoning } from '../data/after-reasoning.ts';

/** The code of a response. isWhole: it defines the function itself; else it goes on where the prompt ends. */
export type ExtractedCode = Readonly<{ code: string; isWhole: boolean }>;

/** After the reasoning: the last fenced block that defines the function, else the last block, else the text as it is. null: there is no text. */
export function extractCode(response: string, entryPoint: string): ExtractedCode | null {
  const text = afterReasoning(response);
  if (text.trim() === '') return null;
  const blocks = fencedBlocks(text);
  const defines = (code: string): boolean => definition(entryPoint).test(code);
  const code = blocks.findLast(defines) ?? blocks.at(-1) ?? text;
  return { code, isWhole: defines(code) };
}

function definition(name: string): RegExp {
  const escaped = name.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`^(?:(?:async +)?def +${escaped}\\b|${escaped} *=)`, 'm');
}

type Fence = Readonly<{ indent: string; mark: string }>;

/** Read by lines, also within a list, where a block stands further right; one that is never closed counts to the end. */
function fencedBlocks(text: string): readonly string[] {
  const blocks: string[][] = [];
  let open: Fence | null = null;
  for (const line of text.split('\n')) {
    const fence = fenceIn(line);
    if (open === null && fence !== null) {
      open = fence;
      blocks.push([]);
    } else if (open !== null && fence?.mark.startsWith(open.mark)) open = null;
    else if (open !== null) blocks.at(-1)?.push(withoutIndent(line, open.indent));
  }
  return blocks.map((lines) => lines.join('\n'));
}

function fenceIn(line: string): Fence | null {
  const [, indent = '', mark] = /^( *)(`{3,}|~{3,})/.exec(line) ?? [];
  return mark === undefined ? null : { indent, mark };
}

function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line;
}
