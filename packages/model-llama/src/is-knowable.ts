/** The smallest number that 32-bit floats hold with all their digits: a probability below it is told as 0 or in few digits. */
const SMALLEST = Math.log(2 ** -126);

/** Whether llama.cpp can tell a log-prob: its probabilities are 32-bit floats. */
export function isKnowable(logprob: number): boolean {
  return logprob >= SMALLEST && logprob <= 0;
}
