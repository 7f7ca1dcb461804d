import { HermesError, type TokenEngine } from '@hermes/protocol';

/** A generation that goes on to its limit. */
export type Endless = Readonly<{
  abort(): void;
  /** true: its first tokens are here. false: it ended without any. Engines that give only whole answers never say true. */
  begun: Promise<boolean>;
  /** The code of the error that it ends with. */
  code: Promise<string>;
}>;

/** So long may a generation wait and run: a place that is never freed fails the proof and does not hang it. */
const LIMIT_MS = 120_000;

/** Asks for so many tokens; default: more than a proof waits for. */
export function startEndless(
  engine: TokenEngine,
  ids: readonly number[],
  maxTokens: number = 3000,
): Endless {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(LIMIT_MS)]);
  const request = { ids, n: 1, sampling: { temperature: 0, maxTokens } };
  const names = { rolloutId: 'endless', invocationId: 'endless' };
  const events = engine.generate(request, {
    signal,
    ...names,
    turn: 1,
    purpose: 'policy',
    split: 'train',
  });
  let begin = (_hasTokens: boolean): void => undefined;
  const begun = new Promise<boolean>((resolve) => {
    begin = resolve;
  });
  const run = async (): Promise<string> => {
    try {
      for await (const { type } of events) if (type === 'tokens_delta') begin(true);
      return 'it has an end';
    } catch (error) {
      return HermesError.isInstance(error) ? error.code : String(error);
    } finally {
      begin(false);
    }
  };
  return { abort: () => controller.abort(), begun, code: run() };
}
