const SIGNS = [
  'Temporary failure resolving',
  'Could not resolve host',
  'uvx: command not found',
  'E: Unable to fetch',
] as const;

/** The line that shows that the verifier could not install its tools; null = none. */
export function setupFailureLine(log: string): string | null {
  return (
    log
      .split('\n')
      .find((line) => SIGNS.some((sign) => line.includes(sign)))
      ?.trim() ?? null
  );
}
