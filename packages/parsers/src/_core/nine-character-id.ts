/** Nine random letters and digits, the form that Mistral's templates insist on. */
export function randomNineCharacterId(): string {
  return Math.floor((1 + Math.random()) * 36 ** 9)
    .toString(36)
    .slice(1);
}
