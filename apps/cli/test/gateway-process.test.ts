import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { callText, defaultScript, writeAutomaton } from '@hermes/automaton';
import { expect, it } from 'vitest';
import { inFolder } from './_run.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const loaders = ['--conditions=@hermes/source', '--import', import.meta.resolve('tsx')];
const parameters = { type: 'object', properties: { word: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'note', parameters } }];

it.each(['SIGTERM', 'SIGINT'] as const)(
  'hermes gateway as a process of its own: a model in it, an agent outside, and %s in the middle of a call',
  (signal) =>
    inFolder(async (folder) => {
      const calls = [{ text: callText('note', { word: 'apple' }), weight: 1 }];
      const { gguf } = await writeAutomaton(folder, { ...defaultScript, calls });
      const argv = ['gateway', '--model', `llama:${gguf}`, '--port', '0'];
      const gateway = spawn(process.execPath, [...loaders, main, ...argv], { cwd: folder });
      const closed = once(gateway, 'close');
      try {
        const [url] = (await once(createInterface(gateway.stdout), 'line')) as [string];
        const ask = (messages: readonly object[], more: object) =>
          fetch(`${url}/one/v1/chat/completions`, {
            method: 'POST',
            body: JSON.stringify({ messages, ...more }),
          });
        const question = { role: 'user', content: 'Note it.' };
        const { choices } = JSON.parse(await (await ask([question], { tools })).text());
        const [{ finish_reason: reason, message }] = choices;
        expect(reason).toBe('tool_calls');
        const [{ id }] = message.tool_calls;
        const result = { role: 'tool', tool_call_id: id, content: 'noted' };
        await ask([question, message, result], { tools });
        const { nodes } = JSON.parse(await (await fetch(`${url}/one/nodes`)).text());
        expect(nodes).toHaveLength(1);
        const long = ask([{ role: 'user', content: 'Talk.' }], { max_tokens: 4000 });
        gateway.kill(signal);
        await long.catch(() => undefined); // it was cut off, or came just before
      } finally {
        gateway.kill(signal);
      }
      expect(await closed).toEqual([130, null]);
    }),
  60_000,
);
