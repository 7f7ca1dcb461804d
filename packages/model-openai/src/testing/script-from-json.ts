import { HermesError } from '@hermes/protocol';
import type { FakeAnswer } from './fake-answer.ts';
import type { FakeRequest } from './fake-request.ts';
import { perConversation } from './per-conversation.ts';

/** Answers for the conversations that hold a text. */
export type FakeRule = Readonly<{ when: string; answers: readonly FakeAnswer[] }>;

/** A script in a JSON file: the answers to every conversation, or rules, the first that fits counts. */
export type FakeScriptJson =
  | readonly FakeAnswer[]
  | Readonly<{ rules: readonly FakeRule[]; answers?: readonly FakeAnswer[] }>;

/** What a script in a file answers. Throws `CONFIG` where it is no script. */
export function scriptFromJson(json: unknown): (request: FakeRequest) => FakeAnswer {
  if (Array.isArray(json)) return perConversation(json);
  if (!hasRules(json)) throw noScript();
  return (request) => {
    const conversation = JSON.stringify(request.body.messages ?? []);
    // The text is looked for as it stands in JSON, where quotes and line ends are escaped.
    const rule = json.rules.find(({ when }) =>
      conversation.includes(JSON.stringify(when).slice(1, -1)),
    );
    return perConversation(rule?.answers ?? json.answers ?? [])(request);
  };
}

function hasRules(json: unknown): json is Exclude<FakeScriptJson, readonly FakeAnswer[]> {
  const rules: unknown = Reflect.get(Object(json), 'rules');
  return Array.isArray(rules) && rules.every(isRule);
}

function isRule(rule: unknown): rule is FakeRule {
  const { when, answers } = Object(rule) as Readonly<Record<string, unknown>>;
  return typeof when === 'string' && Array.isArray(answers);
}

function noScript(): HermesError {
  const message =
    'The script has to be a list of answers, or {"rules": [{"when": TEXT, "answers": [...]}], "answers": [...]}.';
  return new HermesError('config', 'CONFIG', message);
}
