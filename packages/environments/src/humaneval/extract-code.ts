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

/** Read by lines; a block that is never closed counts to the end. */
function fencedBlocks(text: string): readonly string[] {
  const blocks: string[][] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const [mark = null] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null && mark !== null) {
      fence = mark.trim();
      blocks.push([]);
    } else if (fence !== null && mark?.trim().startsWith(fence)) fence = null;
    else if (fence !== null) blocks.at(-1)?.push(line);
  }
  return blocks.map((lines) => lines.join('\n'));
}
