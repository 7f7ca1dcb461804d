import { z } from 'zod';

const lineSchema = z.looseObject({
  stream: z.string().optional(),
  status: z.string().optional(),
  id: z.string().optional(),
  progressDetail: z
    .looseObject({ current: z.number().optional(), total: z.number().optional() })
    .optional(),
  aux: z.unknown().optional(),
  error: z.string().optional(),
});

/** One line of what a pull or a build tells. */
export type ProgressLine = Readonly<{
  stream?: string | undefined;
  status?: string | undefined;
  id?: string | undefined;
  progressDetail?:
    | Readonly<{ current?: number | undefined; total?: number | undefined }>
    | undefined;
  /** Of BuildKit: a binary message as base64. */
  aux?: unknown;
  error?: string | undefined;
}>;

/** The JSON lines of a pull or a build. An error in them is a line: the answer's status was 200 long before. */
export async function* readProgress(stream: NodeJS.ReadableStream): AsyncGenerator<ProgressLine> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield lineSchema.parse(JSON.parse(line));
  }
  if (rest.trim() !== '') yield lineSchema.parse(JSON.parse(rest));
}
