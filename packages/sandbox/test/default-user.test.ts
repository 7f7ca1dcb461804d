import { expect, it } from 'vitest';
import { prepareExec } from '../src/core/exec-request.ts';

const defaults = { workdir: '/work', env: { HOME: '/root' }, secrets: {}, user: 'agent' };
const form = { key: 'k', streamed: false, killsAtLimit: true, session: null };
const request = { command: { argv: ['id'] }, timeoutMs: 1000 } as const;

it('a command that names no user runs as the one of the sandbox, in that one’s home', () => {
  const { start } = prepareExec(request, defaults, form);
  expect([start.user, start.env.HOME]).toEqual(['agent', '/home/agent']);
});

it('a command that names a user runs as that one', () => {
  const { start } = prepareExec({ ...request, user: 'root' }, defaults, form);
  expect([start.user, start.env.HOME]).toEqual(['root', '/root']);
});

it('a command in a session runs as whoever the session belongs to', () => {
  expect(prepareExec(request, defaults, { ...form, session: 7 }).start.user).toBeUndefined();
});
