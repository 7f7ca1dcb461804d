import type { FakeAnswer } from './fake-answer.ts';
import type { FakeRequest } from './fake-request.ts';
import { refusal } from './http-answers.ts';

/**
 * Plays the same answers to every conversation, so that rollouts may run side by side: the first to a
 * conversation without an answer of the assistant, the second to one with one, and so on.
 */
export function perConversation(
  answers: readonly FakeAnswer[],
): (request: FakeRequest) => FakeAnswer {
  return ({ body }) => {
    const messages = Array.isArray(body.messages) ? body.messages : [];
    const turn = messages.filter((message) => Reflect.get(Object(message), 'role') === 'assistant');
    return answers[turn.length] ?? scriptOver(answers.length, turn.length + 1);
  };
}

/** What is answered when a script has no more answers: nothing that a client would retry. */
export function scriptOver(answers: number, asked: number): FakeAnswer {
  const message = `The script has ${answers} answers; number ${asked} was asked for.`;
  return refusal(400, message, 'script_over');
}
