import { expect, it } from 'vitest';
import { createSandboxProvider } from '../src/index.ts';
import { parseLocalSettings } from '../src/settings.ts';

const context = { openProvider: () => Promise.reject(new Error('no other provider is opened')) };

it('fills in every default', () => {
  expect(parseLocalSettings(undefined)).toEqual({
    isolation: 'auto',
    rootDir: undefined,
    systemPaths: [],
    supervisor: 'auto',
    cgroupRoot: '/sys/fs/cgroup',
    bubblewrapPath: 'bwrap',
  });
});

it.each([
  [{ isolaton: 'none' }, "unknown setting 'isolaton'. Did you mean 'isolation'?"],
  [{ root: '/x' }, "unknown setting 'root'. Did you mean 'rootDir'?"],
  [{ isolation: 'docker' }, "setting 'isolation': "],
  [{ systemPaths: ['opt/tools'] }, "setting 'systemPaths.0': "],
  [{ systemPaths: ['/nowhere/tools'] }, '/nowhere/tools does not exist'],
  [{ supervisor: true }, "setting 'supervisor': "],
  ['local', 'settings must be an object'],
])('refuses %j and says where', async (settings, message) => {
  const error = await createSandboxProvider(settings, context).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CONFIG', scope: 'provider' });
  expect(String(error)).toContain(message);
});
