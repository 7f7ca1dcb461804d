// A model server for tests: real sockets, scripted answers, every fault a switch.

export type {
  FakeAnswer,
  FakeCompletion,
  FakeFault,
  FakeHttpAnswer,
  FakeToolCall,
} from './fake-answer.ts';
export type { FakeRequest } from './fake-request.ts';
// Answers that are not the model's.
export {
  contextOverflow,
  rateLimited,
  refusal,
  serverBroken,
  unknownModel,
  wrongKey,
} from './http-answers.ts';
// One script for many conversations, and by hand.
export { perConversation } from './per-conversation.ts';
export { runFakeModel } from './run-fake-model.ts';
export type { FakeRule, FakeScriptJson } from './script-from-json.ts';
export { scriptFromJson } from './script-from-json.ts';
export type { FakeOpenAiServer, FakeServerScript } from './start-fake-open-ai-server.ts';
export { startFakeOpenAiServer } from './start-fake-open-ai-server.ts';
