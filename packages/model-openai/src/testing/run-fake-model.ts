import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { perConversation } from './per-conversation.ts';
import { type FakeScriptJson, scriptFromJson } from './script-from-json.ts';
import { startFakeOpenAiServer } from './start-fake-open-ai-server.ts';

/**
 * The command `hermes-fake-model [SCRIPT.json] [--port N] [--key KEY]`: serves until it is interrupted.
 * Without a script every conversation gets one short answer. Returns when the server is closed.
 */
export async function runFakeModel(
  args: readonly string[],
  output: Readonly<{ write(text: string): unknown }>,
): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { port: { type: 'string' }, key: { type: 'string' } },
  });
  const path = positionals[0];
  const server = await startFakeOpenAiServer({
    answers: path === undefined ? perConversation(['I am a script.']) : await readScript(path),
    port: Number(values.port ?? 0),
    ...(values.key !== undefined && { apiKey: values.key }),
  });
  output.write(`A scripted model listens at ${server.baseUrl}; end it with ctrl-C.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await server.close();
}

async function readScript(path: string): Promise<ReturnType<typeof scriptFromJson>> {
  const script: FakeScriptJson = JSON.parse(await readFile(path, 'utf8'));
  return scriptFromJson(script);
}
