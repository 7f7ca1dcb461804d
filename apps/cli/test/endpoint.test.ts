import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { EnvironmentDefinition } from '@hermes/env-core';
import { startFakeOpenAiServer, unknownModel } from '@hermes/model-openai/testing';
import { describe, expect, it } from 'vitest';
import { type CliOptions, exitCodes } from '../src/index.ts';
import { callNote, messagesOf, noting, outcomeOf, playLive, recordsIn } from './_live.ts';
import { type Ended, hermes, inFolder } from './_run.ts';

const SECRET = 'sk-very-secret-1234';

/** Runs a live model in a new folder, and looks what is left there. */
function evaluate(
  flags: readonly string[],
  options: CliOptions = {},
): Promise<Ended & { readonly left: readonly string[] }> {
  return inFolder(async (folder) => {
    const argv = ['evaluate', 'noting', '--model', 'openai:fake', '--max-tries', '1', ...flags];
    const environments = [noting as EnvironmentDefinition];
    const ended = await hermes(argv, { environments, workingDirectory: folder, ...options });
    return { ...ended, left: await readdir(folder) };
  });
}

/** The address of a server that is gone. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

describe('what is wrong with an endpoint is one sentence, and nothing is left', () => {
  it('says that nobody answers', async () => {
    const url = await closedPort();
    const ended = await evaluate(['--base-url', url]);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, stdout: '', left: [] });
    expect(ended.stderr).toBe(
      `hermes: cannot reach the endpoint ${url} (connection refused): start the server, or mend --base-url\n`,
    );
  });

  it.each([
    [
      'an unknown host',
      ['--base-url', 'http://nowhere.invalid/v1'],
      /nowhere\.invalid.*(no such host|cannot be resolved)/,
    ],
    [
      'no address',
      ['--base-url', 'localhost:8000'],
      /--base-url 'localhost:8000' is no http or https address; write for example http/,
    ],
    [
      'a user in the address',
      ['--base-url', `http://me:${SECRET}@127.0.0.1/v1`],
      /holds a user or password/,
    ],
    [
      'no name of a model',
      ['--model', 'openai', '--base-url', 'http://127.0.0.1:9/v1'],
      /which model\? Write --model openai:NAME/,
    ],
    [
      'a key variable that is not set',
      ['--api-key-env', 'MY_KEY'],
      /variable MY_KEY, which is not set/,
    ],
    [
      'an unknown parser',
      ['--parser', 'hermse', '--base-url', 'http://127.0.0.1:9/v1'],
      /unknown parser 'hermse'/,
    ],
    [
      'a temperature that is no number',
      ['--temperature', 'hot'],
      /--temperature.*a number is needed/,
    ],
    ['a share above 1', ['--top-p', '2'], /env\.top_p: 2 is no number from 0 to 1/],
    ['a body that is no object', ['--extra-body', '[1]'], /a JSON object is needed/],
    [
      'a price without output',
      ['--openai.price.input', '1'],
      /openai\.price: .* is no price with input and output/,
    ],
  ])('refuses %s', async (_what, flags, message) => {
    const ended = await evaluate(flags);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toContain(SECRET);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, left: [] });
  });

  it.each([
    ['wrong', SECRET, /refuses the key from OPENAI_API_KEY: set the right one/],
    ['missing', undefined, /wants a key: set OPENAI_API_KEY/],
  ])('says at the first call that the key is %s', (_what, OPENAI_API_KEY, message) =>
    playLive(
      [callNote(), 'Done.'],
      [],
      async ({ code, stdout, stderr, server, folder }) => {
        expect(stderr).toMatch(message);
        expect(stderr).not.toContain(SECRET);
        expect(code).toBe(exitCodes.wrongUsage);
        expect(stdout).not.toMatch(/ERROR|cancelled/);
        expect(server.requests).toHaveLength(1);
        expect(await readdir(folder)).toEqual([]);
      },
      { script: { apiKey: 'sk-right' }, environmentVariables: { OPENAI_API_KEY } },
    ),
  );

  it('says before the run that the key is wrong, where the list of models needs one', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ended = await evaluate(['--base-url', `http://127.0.0.1:${port}`]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, stdout: '', left: [] });
    expect(ended.stderr).toMatch(/wants a key/);
  });

  it('says that the model is unknown, which was probably meant, and what there is', () =>
    playLive(
      [],
      ['--model', 'openai:qwen-7'],
      async ({ code, stderr, folder }) => {
        expect(stderr).toMatch(
          /does not know the model 'qwen-7'\. Did you mean openai:qwen-7b\? It lists: qwen-7b, phi/,
        );
        expect(code).toBe(exitCodes.wrongUsage);
        expect(await readdir(folder)).toEqual([]);
      },
      { script: { models: ['qwen-7b', 'phi'] } },
    ));

  it('does not propose the model that was refused', () =>
    playLive([unknownModel('fake')], [], ({ code, stderr }) => {
      expect(stderr).toMatch(/lists the model 'fake' and does not find it when asked/);
      expect(code).toBe(exitCodes.wrongUsage);
    }));

  it('leaves a run that was there before as it was', () =>
    playLive([callNote(), 'Done.'], [], async ({ folder, server }) => {
      const before = await readFile(join(folder, 'run/records.jsonl'), 'utf8');
      const again = await hermes(
        [
          'evaluate',
          'noting',
          '--model',
          'openai:fake',
          '--run-dir',
          'run',
          '--resume',
          '--retry',
          'reward<2',
          '--base-url',
          await closedPort(),
        ],
        { environments: [noting as EnvironmentDefinition], workingDirectory: folder },
      );
      expect(again.code).toBe(exitCodes.wrongUsage);
      expect(await readFile(join(folder, 'run/records.jsonl'), 'utf8')).toBe(before);
      expect(server.requests).toHaveLength(2);
    }));

  it('plays a model that the endpoint does not list and knows all the same, with a note', () =>
    playLive([callNote(), 'Done.'], ['--model', 'openai:other'], ({ records, stderr }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
      expect(stderr).toMatch(/note: .* does not list other/);
    }));
});

describe('what is sent to an endpoint', () => {
  it('is what the flags say, under the names of the wire', () => {
    const flags =
      '--temperature 0.5 --max-tokens 99 --top-p 0.9 --top-k 20 --min-p 0.1 --sampling-seed 7 --stop A,B --stop C --frequency-penalty 0.1 --presence-penalty -0.1 --repetition-penalty 1.1';
    const body = ['--extra-body', '{"provider": {"order": ["x"]}}'];
    return playLive(['Done.'], [...flags.split(' '), ...body], ({ server, records }) => {
      expect(server.requests[0]?.body).toMatchObject({
        model: 'fake',
        temperature: 0.5,
        max_tokens: 99,
        top_p: 0.9,
        top_k: 20,
        min_p: 0.1,
        seed: 7,
        stop: ['A,B', 'C'],
        frequency_penalty: 0.1,
        presence_penalty: -0.1,
        repetition_penalty: 1.1,
        provider: { order: ['x'] },
      });
      expect(records[0]?.identity.sampling).toMatchObject({ topK: 20, stop: ['A,B', 'C'] });
    });
  });

  it('leaves out what is none', () =>
    playLive(['Done.'], ['--temperature', 'none', '--max-tokens', 'none'], ({ server }) => {
      const body = server.requests[0]?.body ?? {};
      expect(Object.keys(body).filter((key) => /temperature|max_/.test(key))).toEqual([]);
    }));

  it('comes from the flags before the file, and from the file before the variables', () =>
    playLive(['Done.', 'Done.'], [], async ({ server, folder }) => {
      await writeFile(
        join(folder, 'c.yaml'),
        `openai:\n  base_url: ${server.baseUrl}\n  model_name: fake\n  api_key_env: TEAM_KEY\nenv:\n  agent_temperature: 0.25\n  max_token_length: 77\n`,
      );
      const ended = await hermes(
        [
          'evaluate',
          'noting',
          '--model',
          'openai',
          '--config',
          'c.yaml',
          '--max-tokens',
          '88',
          '--run-dir',
          'two',
        ],
        {
          environments: [noting as EnvironmentDefinition],
          workingDirectory: folder,
          environmentVariables: {
            TEAM_KEY: SECRET,
            OPENAI_API_KEY: 'no',
            OPENAI_BASE_URL: 'http://127.0.0.1:9',
          },
        },
      );
      expect(ended.code).toBe(exitCodes.ran);
      const request = server.requests.at(-1);
      expect(request?.body).toMatchObject({ temperature: 0.25, max_tokens: 88 });
      expect(request?.headers.authorization).toBe(`Bearer ${SECRET}`);
    }));

  it('takes address and key from the variables where nothing else says', () =>
    playLive(['Done.'], [], async ({ server }) => {
      const environmentVariables = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: SECRET };
      const ended = await evaluate([], { environmentVariables });
      expect(ended.code).toBe(exitCodes.runFailed); // the script has no second answer
      expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    }));

  it('shows the key in no file and no message, also when the server repeats it', () =>
    playLive(
      () => ({ status: 400, body: { error: { message: `bad ${SECRET}` } } }),
      ['--openai.api_key', SECRET, '--openai.headers', `{x-token: "${SECRET}"}`],
      async ({ folder, stdout, stderr }) => {
        const names = await readdir(join(folder, 'run'), { recursive: true, withFileTypes: true });
        const files = names.filter((entry) => entry.isFile());
        expect(files.length).toBeGreaterThan(3);
        for (const file of files)
          expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain(SECRET);
        expect(stdout + stderr).not.toContain(SECRET);
      },
    ));
});

describe('several servers of one model', () => {
  it('share the calls of a run, and one that is away is only a note', () =>
    playLive(
      () => 'Done.',
      [],
      async ({ server, folder }) => {
        const other = await startFakeOpenAiServer({ answers: () => 'Done.' });
        try {
          const away = await closedPort();
          const urls = [server.baseUrl, other.baseUrl, away].flatMap((url) => ['--base-url', url]);
          const argv = ['evaluate', 'noting', '--model', 'openai:fake', '--run-dir', 'pool'];
          const environments = [noting as EnvironmentDefinition];
          const ended = await hermes([...argv, ...urls, '--attempts', '8', '--concurrency', '2'], {
            environments,
            workingDirectory: folder,
          });
          expect(ended.stderr).toContain(`note: cannot reach the endpoint ${away}`);
          expect(ended).toMatchObject({ code: exitCodes.ran });
          expect(ended.stdout).toContain('8 trials, 0 passed, 8 failed, 0 errored');
          expect(other.requests.length).toBeGreaterThan(0);
          expect(server.requests.length).toBeGreaterThan(1);
          expect(server.requests.length + other.requests.length).toBe(1 + 8);
        } finally {
          await other.close();
        }
      },
    ));

  it('of which none is there are refused', async () => {
    const [one, two] = [await closedPort(), await closedPort()];
    const ended = await evaluate(['--base-url', one, '--base-url', two]);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, left: [] });
    expect(ended.stderr).toContain(`cannot reach the endpoint ${one}`);
  });
});

describe('a parser of plain text', () => {
  const parsers: CliOptions['parsers'] = [
    {
      name: 'brackets',
      description: '[tool word]',
      load: async () => (text) => {
        const [, name, word] = /\[(\w+) (\w+)\]/.exec(text) ?? [];
        if (name === undefined || word === undefined) return null;
        const call = { id: 'call_1', name, arguments: JSON.stringify({ word }) };
        return { content: '', reasoning: null, calls: [call] };
      },
    },
  ];

  it('finds the calls that the server left in the text', () =>
    playLive(
      ['I will. [note apple]', 'Done.'],
      ['--parser', 'brackets'],
      async ({ records, folder }) => {
        expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
        const run = JSON.parse(await readFile(join(folder, 'run/run.json'), 'utf8'));
        expect(run.plan.parser).toBe('brackets');
      },
      { parsers },
    ));

  it('is none where nobody asked for it', () =>
    playLive(
      ['[note apple]'],
      [],
      ({ records }) => {
        expect(records.map(outcomeOf)).toEqual(['reward 0, natural']);
      },
      { parsers },
    ));

  it('that nobody knows is refused with the nearest', async () => {
    const ended = await evaluate(['--env.tool_call_parser', 'bracket'], { parsers });
    expect(ended.stderr).toMatch(/unknown parser 'bracket'\. Did you mean brackets\?/);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, left: [] });
  });
});

describe('what a run costs', () => {
  const usage = {
    prompt_tokens: 1000,
    completion_tokens: 100,
    total_tokens: 1100,
    prompt_tokens_details: { cached_tokens: 900 },
  };
  const price = ['--openai.price', '{input: 1, output: 2, cached_input: 0.1}'];

  it('is not known for a model without a price, and never 0', () =>
    playLive([{ content: 'Done.', usage }], [], ({ records, stdout }) => {
      expect(records[0]?.costUsd).toBeNull();
      expect(stdout).toContain('cost $? (1 trials without a price)');
    }));

  it('counts cached tokens at their own price', () =>
    playLive([{ content: 'Done.', usage }], price, ({ records }) => {
      expect(records[0]?.costUsd).toBeCloseTo((100 * 1 + 900 * 0.1 + 100 * 2) / 1e6, 12);
    }));

  it('is not known where the price of cached tokens is not', () =>
    playLive(
      [{ content: 'Done.', usage }],
      ['--openai.price', '{input: 1, output: 2}'],
      ({ records }) => {
        expect(records[0]?.costUsd).toBeNull();
      },
    ));

  it('ends a rollout that has spent its budget, and what is there is verified', () =>
    playLive(
      () => ({ ...callNote(), usage }),
      [...price, '--max-cost', '0.0005'],
      async ({ records, server, folder }) => {
        expect(records.map(outcomeOf)).toEqual(['reward 1, max_cost']);
        expect(server.requests).toHaveLength(2);
        expect(messagesOf(server, 2).length).toBeGreaterThan(2);
        expect(await recordsIn(folder, 'tries')).toEqual([]);
      },
    ));
});
