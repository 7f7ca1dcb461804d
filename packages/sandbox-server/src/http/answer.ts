/** What is sent back. */
export type Answer = Readonly<{
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}>;

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** A request that is not served, and why. */
export function refused(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, body: { success: false, error }, headers };
}
