import { withDefaultEffects } from './_default-effects.ts';
import { answerParsers } from './answer/answer-parser.ts';
import { checkTokenizer } from './check-tokenizer.ts';
import { createManagedSession } from './session/managed-session.ts';
import { createPromptMaker } from './template/prompt-maker.ts';
import { reasoningTags } from './template/reasoning-tags.ts';
import type { ManagedServer, ManagedServerOptions } from './types.ts';

/**
 * Prepares sessions in token space over an engine. Compares the tokenizer with the engine's own where
 * that can be asked: `CONFIG` says what differs.
 */
export async function createManagedServer(options: ManagedServerOptions): Promise<ManagedServer> {
  const { engine, parser, tokenizer } = options;
  const ended = new AbortController();
  await checkTokenizer(engine, tokenizer, options.signal ?? ended.signal);
  const tags = reasoningTags(parser);
  const shared = {
    engine,
    tokenizer,
    prompts: createPromptMaker(tokenizer, tags),
    parsers: answerParsers(parser, tags),
    openTag: tags?.[0] ?? null,
    keepReasoning: options.keepReasoning ?? false,
    contextTokens: options.contextTokens ?? engine.capabilities.contextTokens,
    effects: withDefaultEffects(options.effects),
    ended: ended.signal,
  };
  return {
    openSession: (rolloutId) => createManagedSession(shared, rolloutId),
    async close() {
      ended.abort('the managed server was closed');
    },
  };
}
