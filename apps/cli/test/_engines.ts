import { join } from 'node:path';
import { writeAutomaton } from '@hermes/automaton';
import { type FakeEngineRequest, startFakeEngineServer } from '@hermes/managed-server/testing';
import type { Tokenizer } from '@hermes/protocol';
import { loadTokenizer } from '@hermes/tokenizer';
import { type Ask, type EngineKind, jobInput, type Sampled, speeches } from './_engine-speeches.ts';
import { inFolder } from './_run.ts';

/** A server that speaks as an engine does, over a real socket. Its answers come from a script. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** In the order of the questions; what is asked at the start is left out. */
  readonly sampled: readonly Sampled[];
  readonly requests: readonly FakeEngineRequest[];
}

/** Works with servers of a model whose tokenizer lies in the folder `model`. They answer sums: right at first, then wrong, and so on. */
export function withEngines<const Kinds extends readonly EngineKind[], T>(
  kinds: Kinds,
  work: (servers: { readonly [At in keyof Kinds]: ScriptedServer }, folder: string) => Promise<T>,
  say: (prompt: string) => string = sayingSums(),
): Promise<T> {
  return inFolder(async (folder) => {
    await writeAutomaton(join(folder, 'model'));
    const tokenizer = await loadTokenizer({ dir: join(folder, 'model') });
    const servers = await Promise.all(kinds.map((kind) => startEngine(kind, tokenizer, say)));
    try {
      return await work(servers as never, folder);
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  });
}

/** wrong: what stands behind a wrong answer. */
export function sayingSums(wrong = ''): (prompt: string) => string {
  const asked = new Map<string, number>();
  return (prompt) => {
    const [, number = ''] = /(\d+) \+ \d+\?/.exec(prompt) ?? [];
    const times = asked.get(number) ?? 0;
    asked.set(number, times + 1);
    return times % 2 === 0 ? String(2 * Number(number)) : `wrong${wrong}`;
  };
}

/** Starts a server. say: the answer to a prompt as text; its turn ends behind it. */
async function startEngine(
  kind: EngineKind,
  tokenizer: Tokenizer,
  say: (prompt: string) => string,
): Promise<ScriptedServer> {
  const sampled: Sampled[] = [];
  const ask: Ask = (given) => {
    const prompt = given as readonly number[];
    const isProbe = prompt.length === 1;
    const text = isProbe ? 'a' : say(tokenizer.decode(prompt));
    const ids = [...tokenizer.encode(text), ...tokenizer.turnEndIds.slice(0, 1)];
    const answer = { prompt, ids, logprobs: ids.map((id) => -(1 + (id % 16)) / 16) };
    if (!isProbe) sampled.push(answer);
    return answer;
  };
  const server = await startFakeEngineServer((request) =>
    request.path.endsWith('/v1/models')
      ? { body: { data: [{ id: 'tiny', max_model_len: 4096 }] } }
      : (reading(request, tokenizer) ?? speeches[kind](request, ask)),
  );
  return {
    url: server.url,
    requests: server.requests,
    sampled,
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** How the served model reads a text: by this the tokenizer of the command is checked. */
function reading({ path, body }: FakeEngineRequest, tokenizer: Tokenizer) {
  const { openai_route: route = path, openai_input: asked = body } = jobInput(body);
  if (!String(route).endsWith('/tokenize')) return undefined;
  const { prompt, content } = asked as { prompt?: string; content?: string };
  return { body: { tokens: tokenizer.encode(prompt ?? content ?? '') } };
}
