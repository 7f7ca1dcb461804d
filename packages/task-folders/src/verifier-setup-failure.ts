const SIGNS = [
  'Temporary failure resolving',
  'Could not resolve host',
  'uvx: command not found',
  'E: Unable to fetch',
] as const;

/** Whether a text holds one of the signs that the verifier could not install its tools. */
export function showsSetupFailure(text: string): boolean {
  return SIGNS.some((sign) => text.includes(sign));
}

/** The line that shows that the verifier could not install its tools; null = none. */
export function setupFailureLine(log: string): string | null {
  return log.split('\n').find(showsSetupFailure)?.trim() ?? null;
}
