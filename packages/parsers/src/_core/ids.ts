/** `call_` and 24 random hexadecimal digits. */
export function randomCallId(): string {
  return `call_${randomHex(24)}`;
}

/** Nine random letters and digits, the form that Mistral's templates insist on. */
export function randomNineCharacterId(): string {
  const value = Number.parseInt(randomHex(12), 16).toString(36);
  return value.padStart(9, '0').slice(-9);
}

function randomHex(length: number): string {
  return globalThis.crypto.randomUUID().replaceAll('-', '').slice(-length);
}
