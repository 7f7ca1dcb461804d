import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { codeOf } from '../run-case.ts';
import { expectExit, fileCodeOf, has, okValue, sh } from './_run.ts';

/** Operations on names, and the mistakes that are values instead of errors. */
export const fileOperationCases: readonly ConformanceCase[] = [
  {
    group: 'files',
    name: 'reading a missing file is FILE_NOT_FOUND with its path',
    needs: [],
    run: async ({ sandbox, folder }) => {
      const result = await sandbox.files.read(`${folder}/nothing`);
      expect(fileCodeOf(result)).toBe('FILE_NOT_FOUND');
      expect(result.ok ? '' : result.path).toContain('nothing');
      const stream = await sandbox.files.readStream(`${folder}/nothing`);
      expect(fileCodeOf(stream)).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'files',
    name: 'reading a folder is IS_A_DIRECTORY, and so is writing over one',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.mkdir(`${folder}/d`));
      expect(fileCodeOf(await sandbox.files.read(`${folder}/d`))).toBe('IS_A_DIRECTORY');
      expect(fileCodeOf(await sandbox.files.write(`${folder}/d`, 'x'))).toBe('IS_A_DIRECTORY');
    },
  },
  {
    group: 'files',
    name: 'a file in the middle of a path is NOT_A_DIRECTORY',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/f`, 'x'));
      const below = `${folder}/f/below`;
      expect(fileCodeOf(await sandbox.files.read(below))).toBe('NOT_A_DIRECTORY');
      expect(fileCodeOf(await sandbox.files.write(below, 'x'))).toBe('NOT_A_DIRECTORY');
      expect(fileCodeOf(await sandbox.files.list(`${folder}/f`))).toBe('NOT_A_DIRECTORY');
    },
  },
  {
    group: 'files',
    name: 'a file that the user may not read is PERMISSION',
    needs: [],
    run: async ({ sandbox, folder, capabilities }) => {
      okValue(await sandbox.files.write(`${folder}/closed`, 'x', { mode: 0o000 }));
      const isRoot = ['root', '0'].includes(sandbox.info.user);
      // Nothing is closed to root, so there somebody else has to try: refused where there is nobody else.
      const reading = sandbox.files.read(`${folder}/closed`, isRoot ? { user: 'nobody' } : {});
      const seen = await reading.then(fileCodeOf, codeOf);
      expect(seen).toBe(isRoot && !capabilities.users ? 'UNSUPPORTED' : 'PERMISSION');
    },
  },
  {
    group: 'files',
    name: 'a nonsense name is refused as a value',
    needs: [],
    run: async ({ sandbox, folder }) => {
      for (const name of [`${folder}/nul\0byte`, `${folder}/${'n'.repeat(5000)}`]) {
        expect((await sandbox.files.read(name)).ok).toBe(false);
        expect((await sandbox.files.write(name, 'x')).ok).toBe(false);
      }
    },
  },
  {
    group: 'files',
    name: 'stat tells type, size, mode and time',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/run.sh`, '12345', { mode: 0o750 }));
      const stat = okValue(await sandbox.files.stat(`${folder}/run.sh`));
      expect(stat).toMatchObject({ type: 'file', size: 5, linkTarget: null });
      expect(stat.mode & 0o7777).toBe(0o750);
      // The sandbox's clock may differ from this machine's by some minutes, not by hours.
      expect(Math.abs(stat.mtimeMs - Date.now())).toBeLessThan(3_600_000);
      expect(fileCodeOf(await sandbox.files.stat(`${folder}/none`))).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'files',
    name: 'writing again keeps the mode',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/tool`, '1', { mode: 0o755 }));
      okValue(await sandbox.files.write(`${folder}/tool`, '2'));
      expect(okValue(await sandbox.files.stat(`${folder}/tool`)).mode & 0o777).toBe(0o755);
    },
  },
  {
    group: 'files',
    name: 'writing over a pipe, or over a link to one, is refused and leaves it as it is',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      if (!(await has(sandbox, 'mkfifo'))) return;
      expectExit(
        await sh(sandbox, `mkdir -p ${folder} && cd ${folder} && mkfifo pipe && ln -s pipe link`),
        0,
      );
      for (const name of ['pipe', 'link']) {
        const written = await sandbox.files.write(`${folder}/${name}`, 'x');
        expect(fileCodeOf(written)).toBe('ALREADY_EXISTS');
      }
      expect(okValue(await sandbox.files.stat(`${folder}/pipe`)).type).toBe('other');
      expect(okValue(await sandbox.files.stat(`${folder}/link`)).type).toBe('link');
    },
  },
  {
    group: 'files',
    name: 'list gives every entry with its type, hidden ones too',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/l/.hidden`, 'abc'));
      okValue(await sandbox.files.mkdir(`${folder}/l/sub`));
      const entries = okValue(await sandbox.files.list(`${folder}/l`));
      const found = entries.map(({ path, type }) => `${path.split('/').at(-1)} ${type}`).sort();
      expect(found).toEqual(['.hidden file', 'sub directory']);
      expect(fileCodeOf(await sandbox.files.list(`${folder}/none`))).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'files',
    name: 'mkdir makes parents, accepts a folder that is there and refuses a file',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.mkdir(`${folder}/m/n/o`));
      okValue(await sandbox.files.mkdir(`${folder}/m/n/o`));
      expect(okValue(await sandbox.files.list(`${folder}/m/n/o`))).toEqual([]);
      okValue(await sandbox.files.write(`${folder}/m/file`, 'x'));
      expect(fileCodeOf(await sandbox.files.mkdir(`${folder}/m/file`))).toBe('ALREADY_EXISTS');
    },
  },
  {
    group: 'files',
    name: 'rename moves files over files, and folders whole',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/from/a`, 'new'));
      okValue(await sandbox.files.write(`${folder}/b`, 'old'));
      okValue(await sandbox.files.rename(`${folder}/from/a`, `${folder}/b`));
      expect(okValue(await sandbox.files.stat(`${folder}/b`)).size).toBe(3);
      expect(fileCodeOf(await sandbox.files.stat(`${folder}/from/a`))).toBe('FILE_NOT_FOUND');
      okValue(await sandbox.files.write(`${folder}/from/c/d`, 'deep'));
      okValue(await sandbox.files.rename(`${folder}/from`, `${folder}/to`));
      expect(okValue(await sandbox.files.stat(`${folder}/to/c/d`)).size).toBe(4);
      const missing = await sandbox.files.rename(`${folder}/none`, `${folder}/x`);
      expect(fileCodeOf(missing)).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'files',
    name: 'remove takes files, and folders only when told to',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/r/f`, 'x'));
      expect((await sandbox.files.remove(`${folder}/r`)).ok).toBe(false);
      okValue(await sandbox.files.stat(`${folder}/r/f`));
      okValue(await sandbox.files.remove(`${folder}/r/f`));
      expect(fileCodeOf(await sandbox.files.stat(`${folder}/r/f`))).toBe('FILE_NOT_FOUND');
      okValue(await sandbox.files.write(`${folder}/r/deep/f`, 'x'));
      okValue(await sandbox.files.remove(`${folder}/r`, { recursive: true }));
      expect(fileCodeOf(await sandbox.files.stat(`${folder}/r`))).toBe('FILE_NOT_FOUND');
      expect(fileCodeOf(await sandbox.files.remove(`${folder}/r`))).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'files',
    name: 'a command sees what was written, and its files can be read',
    needs: ['shell', 'persistentFs'],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/in`, 'ping'));
      const result = await sandbox.exec({
        command: { script: 'cat in && printf pong > out', shell: 'sh' },
        cwd: folder,
        timeoutMs: 60_000,
      });
      expect(result.stdout.text()).toBe('ping');
      expect(okValue(await sandbox.files.read(`${folder}/out`))).toHaveLength(4);
    },
  },
];
