/** `call_` and 24 random hexadecimal digits. */
export function randomCallId(): string {
  return `call_${sixDigits()}${sixDigits()}${sixDigits()}${sixDigits()}`;
}

/** Not for secrets: `crypto.randomUUID` is missing in pages without TLS, and slower. */
function sixDigits(): string {
  return Math.floor((1 + Math.random()) * 16 ** 6)
    .toString(16)
    .slice(1);
}
