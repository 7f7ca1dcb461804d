import { randomDigits } from '../ids.ts';

/** Nine random letters and digits, the form that Mistral's templates insist on. */
export function randomNineCharacterId(): string {
  return threeDigits() + threeDigits() + threeDigits();
}

function threeDigits(): string {
  return randomDigits(36, 36 ** 3);
}
