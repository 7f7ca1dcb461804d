import { countCodePoints, headOf, tailOf, withThousands } from './_text.ts';

/** What stands in a conversation for a text that lies in a file of the sandbox. */
export function savedBlock(text: string, path: string, previewChars: number): string {
  const preview = headPreview(text, previewChars);
  return [
    '<persisted-output>',
    `The result is too long to show: ${withThousands(countCodePoints(text))} characters (${sizeOf(text)}).`,
    `All of it is saved at: ${path}`,
    'Read the parts you need with read_file, using offset and limit.',
    '',
    `Preview (its first ${withThousands(countCodePoints(preview))} characters):`,
    preview,
    ...(preview.length < text.length ? ['...'] : []),
    '</persisted-output>',
  ].join('\n');
}

/** Beginning and end: in a log the newest lines matter most. */
export function previewUnsaved(text: string, previewChars: number): string {
  const total = countCodePoints(text);
  const head = headPreview(text, previewChars);
  const tail = tailPreview(text, previewChars);
  const omitted = total - countCodePoints(head) - countCodePoints(tail);
  const note = `[The response was ${withThousands(total)} characters and could not be saved; ${withThousands(omitted)} characters are left out here]`;
  return omitted > 0 ? `${head}\n\n${note}\n\n${tail}` : text;
}

/** Ends with a whole line where that costs less than half. */
function headPreview(text: string, codePoints: number): string {
  const head = headOf(text, codePoints);
  if (head.length === text.length) return head;
  const lineEnd = head.lastIndexOf('\n');
  return lineEnd > head.length / 2 ? head.slice(0, lineEnd + 1) : head;
}

function tailPreview(text: string, codePoints: number): string {
  const tail = tailOf(text, codePoints);
  if (tail.length === text.length) return tail;
  const lineEnd = tail.indexOf('\n');
  return lineEnd !== -1 && lineEnd < tail.length / 2 ? tail.slice(lineEnd + 1) : tail;
}

function sizeOf(text: string): string {
  const kilobytes = new TextEncoder().encode(text).length / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
