import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AutomatonScript, writeAutomaton } from '@hermes/automaton';
import type {
  GenerateRequest,
  ModelCallContext,
  TokenEngine,
  TokenEvent,
  Tokenizer,
  ToolSchema,
} from '@hermes/protocol';
import { afterAll, vi } from 'vitest';
import { type LlamaOptions, openLlamaEngine } from '../src/index.ts';

// opening a model starts llama.cpp: on a busy machine that takes a while
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const cleanups: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A file of the model that plays the script, until the tests of this file are done. */
export async function automatonFile(script?: AutomatonScript): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-automaton-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  return (await writeAutomaton(folder, script)).gguf;
}

type Opened = Readonly<{ engine: TokenEngine; tokenizer: Tokenizer }>;

/** An engine over a file, closed when the tests of this file are done. */
export async function openEngine(
  path: string,
  options: Partial<LlamaOptions> = {},
): Promise<Opened> {
  const opened = await openLlamaEngine({ path, threads: 1, contextTokens: 2048, ...options });
  cleanups.push(async () => opened.engine.close?.());
  return opened;
}

/** The same over the file of a script. */
export async function openAutomaton(
  options: Partial<LlamaOptions> & { readonly script?: AutomatonScript } = {},
): Promise<Opened> {
  const { script, ...rest } = options;
  return openEngine(await automatonFile(script), rest);
}

/** The context of a call that belongs to no real rollout. */
export function callContext(signal: AbortSignal = new AbortController().signal): ModelCallContext {
  return {
    signal,
    rolloutId: 'rollout',
    invocationId: 'invocation',
    turn: 1,
    purpose: 'policy',
    split: 'train',
  };
}

export type Generated = Extract<TokenEvent, { type: 'result' }>;

/** All events of a generation, and its result. */
export async function generate(
  engine: TokenEngine,
  request: GenerateRequest,
  signal?: AbortSignal,
): Promise<Readonly<{ events: readonly TokenEvent[]; result: Generated }>> {
  const events: TokenEvent[] = [];
  for await (const event of engine.generate(request, callContext(signal))) events.push(event);
  const result = events.at(-1);
  if (result?.type !== 'result') throw new Error('the last event is no result');
  return { events, result };
}

/** The only answer of a generation. */
export async function answer(
  engine: TokenEngine,
  ids: readonly number[],
  sampling: GenerateRequest['sampling'] = {},
): Promise<Generated['outputs'][number]> {
  const { result } = await generate(engine, {
    ids,
    n: 1,
    sampling: { maxTokens: 64, ...sampling },
  });
  const [output] = result.outputs;
  if (output === undefined) throw new Error('there is no output');
  return output;
}

const tools: readonly ToolSchema[] = [
  { type: 'function', function: { name: 'terminal', parameters: { type: 'object' } } },
];

/** A question, with the tools that make the automaton call one. */
export function questionWithTools(tokenizer: Tokenizer): readonly number[] {
  const messages = [{ role: 'user', content: 'What is the weather in Paris?' }] as const;
  return tokenizer.render({ messages, tools, generationPrompt: true }).ids;
}

/** A question without tools: random text follows. */
export function question(tokenizer: Tokenizer): readonly number[] {
  const messages = [{ role: 'user', content: 'Say something.' }] as const;
  return tokenizer.render({ messages, generationPrompt: true }).ids;
}

/** What follows an answer that called a tool: its result, and the opening of the next turn. */
export function toolResult(tokenizer: Tokenizer, content: string): readonly number[] {
  return tokenizer.encode(
    `\n<|im_start|>user\n<tool_response>\n${content}\n</tool_response><|im_end|>\n<|im_start|>assistant\n`,
  );
}
