/** Nine random letters and digits, the form that Mistral's templates insist on. */
export function randomNineCharacterId(): string {
  return threeDigits() + threeDigits() + threeDigits();
}

/** Few enough at a time for small integers, which are written much faster. */
function threeDigits(): string {
  return Math.floor((1 + Math.random()) * 36 ** 3)
    .toString(36)
    .slice(1);
}
