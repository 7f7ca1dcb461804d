/** `call_` and 24 random hexadecimal digits. */
export function randomCallId(): string {
  const six = (): string => randomDigits(6, 16);
  return `call_${six()}${six()}${six()}${six()}`;
}

/** Nine random letters and digits, the form that Mistral's templates insist on. */
export function randomNineCharacterId(): string {
  return randomDigits(4, 36) + randomDigits(5, 36);
}

/** Not for secrets: `crypto.randomUUID` is missing in pages without TLS, and slower. */
function randomDigits(count: number, base: number): string {
  const value = Math.floor(Math.random() * base ** count);
  return value.toString(base).padStart(count, '0');
}
