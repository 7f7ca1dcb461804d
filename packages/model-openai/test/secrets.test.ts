import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { createOpenAiModel } from '../src/index.ts';
import { type FakeAnswer, refusal, startFakeOpenAiServer } from '../src/testing/index.ts';
import { contextOf, play, QUESTION } from './_support/play.ts';
import { waitingClock } from './_support/waiting-clock.ts';

const KEY = 'sk-live-0123456789abcdef';
const HEADER = 'header-secret-42';

/** A server that repeats whatever it was given. */
const ECHOES: readonly (readonly [string, FakeAnswer])[] = [
  ['a 401', refusal(401, `Incorrect API key provided: ${KEY}, ${HEADER}.`, KEY)],
  ['a 500', refusal(500, `Bearer ${KEY} crashed ${HEADER}`, 'x')],
  ['a page', { status: 502, body: `<p>${KEY} ${HEADER}</p>` }],
  ['nonsense', { status: 200, body: `{"key": "${KEY}", ${HEADER}` }],
  ['an error with status 200', { status: 200, body: { error: `${HEADER} ${KEY}` } }],
  ['a redirect', { status: 301, body: '', headers: { location: `http://x/${KEY}/${HEADER}` } }],
];

it.each(ECHOES)(
  'no secret gets into errors, events or logs, though %s repeats it',
  async (_what, answer) => {
    await using server = await startFakeOpenAiServer({ answers: () => answer });
    const context = contextOf();
    const effects = testEffects({ clock: waitingClock(context.signal) });
    const settings = {
      baseUrl: server.baseUrl,
      model: 'tiny',
      apiKey: KEY,
      headers: { 'x-team': HEADER },
    };
    const { error, events } = await play(createOpenAiModel(settings, effects), QUESTION, context);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-team': HEADER,
    });
    expect(error?.cause).toBeUndefined();
    const told = JSON.stringify([error?.toInfo(), error?.stack, events, effects.logger.entries]);
    expect(told).toContain('[redacted]');
    expect(told).not.toContain(KEY);
    expect(told).not.toContain(HEADER);
  },
);

it('takes nothing from the environment of the openai package', async () => {
  const names = ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_ADMIN_KEY'];
  const kept = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = 'from-the-environment';
  process.env.OPENAI_CUSTOM_HEADERS = 'x-custom: from-the-environment';
  process.env.OPENAI_BASE_URL = 'http://from-the-environment/v1';
  try {
    await using server = await startFakeOpenAiServer({ answers: ['Hi'] });
    const { result } = await play(createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }));
    expect(result?.message.content).toBe('Hi');
    const headers = server.requests[0]?.headers ?? {};
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.stringify(headers)).not.toContain('from-the-environment');
    expect(JSON.stringify(headers)).not.toContain('stainless');
  } finally {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    delete process.env.OPENAI_CUSTOM_HEADERS;
    delete process.env.OPENAI_BASE_URL;
  }
});
