import { type ModelCallContext, ModelError, type TokenEngine } from '@hermes/protocol';

/** llama.cpp's server has no log-prob of the piece of a character, and chance may want just that. */
const MOST_QUESTIONS = 6;

/** Asks for a token behind one that is in every vocabulary. Throws what every call would end with; tokens that are missing are asked for again. */
export async function askOneToken(engine: TokenEngine, signal: AbortSignal): Promise<void> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask(engine, signal);
    } catch (error) {
      const isChance = ModelError.isInstance(error) && error.code === 'TOKENS_MISSING';
      if (!isChance || asked === MOST_QUESTIONS) throw error;
    }
  }
}

async function ask(engine: TokenEngine, signal: AbortSignal): Promise<void> {
  const context: ModelCallContext = {
    signal,
    rolloutId: 'probe',
    invocationId: 'root',
    turn: null,
    purpose: 'tool',
    split: 'eval',
  };
  for await (const event of engine.generate(
    { ids: [0], n: 1, sampling: { maxTokens: 1 } },
    context,
  ))
    if (event.type === 'result') return;
}
