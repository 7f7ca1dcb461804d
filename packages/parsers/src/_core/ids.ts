const hex: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  (256 + byte).toString(16).slice(1),
);

/**
 * `call_` and 24 random hexadecimal digits. Not for secrets: `crypto.randomUUID` is missing in
 * pages without TLS, and slower.
 */
export function randomCallId(): string {
  let id = 'call_';
  for (let bytes = 0; bytes < 12; bytes += 1) id += hex[Math.floor(Math.random() * 256)];
  return id;
}
