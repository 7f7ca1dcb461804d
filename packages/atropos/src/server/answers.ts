import type { JsonValue } from '@hermes/protocol';
import type { Issue } from '../wire/issues.ts';

/** What a request is answered with. */
export type Answer = Readonly<{
  status: number;
  type: 'application/json' | 'text/plain; charset=utf-8';
  pieces: readonly Uint8Array[];
  headers?: Readonly<Record<string, string>>;
  /** Called once the whole answer has left this process, or with false when the connection broke before. */
  onEnd?: (wasSent: boolean) => void;
}>;

export function json(
  value: JsonValue,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return jsonText(JSON.stringify(value), status, headers);
}

export function jsonText(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, type: 'application/json', pieces: [Buffer.from(text)], headers };
}

export function text(
  body: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, type: 'text/plain; charset=utf-8', pieces: [Buffer.from(body)], headers };
}

/** A body that does not fit what is declared. */
export function unprocessable(issues: readonly Issue[]): Answer {
  return json({ detail: issues as unknown as JsonValue }, 422);
}

/** The original's answer where it breaks; `compat` breaks in the same places. */
export const internalError: Answer = text('Internal Server Error', 500);
