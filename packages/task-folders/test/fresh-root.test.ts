import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ToolContext } from '@hermes/tools';
import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { removeVerifierLinks } from '../src/_verifier-links.ts';
import { hasFreshRoot } from '../src/fresh-root.ts';
import { handOver } from '../src/hand-over.ts';
import { readTaskFolder, type TaskFolder } from '../src/index.ts';
import { makeTask, temporaryFolder } from './_make-task.ts';
import { type Answered, outcomeOf, PLAY_LIMIT_MS, type Played, play } from './_play.ts';
import { openDockerProvider, openLocalProvider, stage } from './_sandbox.ts';

const rewardIf = (condition: string) =>
  `if ${condition}; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`;

const HONEST: readonly Answered[] = [
  {
    name: 'folders-of-the-root',
    commands: [
      'mkdir -p /srv/www /data; echo hello > /srv/www/index; echo hello > /data/x; rm old',
    ],
    task: {
      'environment/Dockerfile': 'FROM debian\nWORKDIR /app\nCOPY old /app/old\n',
      'environment/old': 'old\n',
      'tests/test.sh': rewardIf('[ -e /srv/www/index ] && [ -e /data/x ] && [ ! -e old ]'),
    },
  },
  {
    name: 'modes-times-and-links',
    commands: [
      'echo x > run; chmod 4711 run; chmod 750 run; ln -s run link; touch -d 2001-02-03 run; mkdir shut; echo y > shut/y; chmod 500 shut',
    ],
    task: {
      'tests/test.sh': rewardIf(
        '[ "$(stat -c %a run)" = 750 ] && [ "$(readlink link)" = run ] && [ "$(date -r run +%Y)" = 2001 ] && [ -e shut/y ] && [ "$(stat -c %a shut)" = 500 ]',
      ),
    },
  },
  {
    name: 'places-that-the-task-names',
    commands: [
      'echo a > /tmp/named.txt; echo b > /tmp/other.txt; echo c > ~/result.txt; mkdir ~/.tool; echo d > ~/.tool/settings; mkdir -p ~/.local/bin; echo e > ~/.local/bin/env',
    ],
    task: {
      'instruction.md':
        'Write /tmp/named.txt, ~/.tool/settings and a result in your home. Work in /app.\n',
      'tests/test.sh': rewardIf(
        '[ "$(echo /tmp/*.txt)" = /tmp/named.txt ] && [ -e ~/result.txt ] && [ -e ~/.tool/settings ] && [ ! -e ~/.local/bin/env ]',
      ),
    },
  },
  {
    name: 'home-as-working-directory',
    commands: ['echo hello > out.txt; echo x > .bashrc; mkdir .git; echo x > .git/config'],
    task: {
      'environment/Dockerfile': 'FROM debian\nWORKDIR /root\n',
      'tests/test.sh': rewardIf('[ -e out.txt ] && [ -e .git/config ]'),
    },
  },
  {
    name: 'python-imports',
    commands: [
      'echo "value = 7" > solution.py; mkdir pack; echo "value = 8" > pack/helper.py; echo "import helper; print(helper.value)" > pack/main.py',
    ],
    task: {
      'tests/test.sh': rewardIf(
        '[ "$(python3 -c "import solution; print(solution.value)")$(python3 pack/main.py)$(python3 "$TESTS_DIR/sub/check.py")" = 789 ]',
      ),
      'tests/sub/check.py': 'import secrets\nprint(secrets.nine)\n',
      'tests/sub/secrets.py': 'nine = 9\n',
    },
  },
  {
    name: 'a-process-that-the-tests-look-for',
    commands: ['(setsid sleep 300 >/dev/null 2>&1 </dev/null &); echo $! > pid; sleep 0.2'],
    task: { 'tests/test.sh': rewardIf('pgrep -x sleep >/dev/null') },
  },
  {
    name: 'a-process-that-the-task-keeps',
    commands: ['(setsid sleep 300 >/dev/null 2>&1 </dev/null &); sleep 0.2'],
    task: {
      'task.toml': '[metadata]\nstop_processes = false\n',
      'tests/test.sh': rewardIf('grep -lx sleep /proc/*/comm >/dev/null'),
    },
  },
  {
    name: 'separate',
    commands: ['echo hello > out.txt; echo x > other.txt'],
    task: {
      'task.toml':
        'artifacts = ["out.txt", { source = "/app/made", service = "main" }]\n[verifier]\nenvironment_mode = "separate"\n[[verifier.collect]]\ncommand = "cp out.txt made"\n',
      'tests/test.sh': rewardIf('[ -e out.txt ] && [ -e made ] && [ ! -e other.txt ]'),
    },
  },
  {
    name: 'a-server-that-the-tests-leave',
    commands: ['echo hello > out.txt'],
    task: { 'tests/test.sh': `sleep 300 &\n${rewardIf('[ -e out.txt ]')}` },
  },
];

/** The same on any system, so that an image can be built. */
function onAnyBase({ task, ...answered }: Answered): Answered {
  const dockerfile = task?.['environment/Dockerfile'];
  const open = dockerfile?.replace('FROM debian', 'ARG BASE=debian\nFROM ${BASE}');
  return { ...answered, task: { ...task, ...(open && { 'environment/Dockerfile': open }) } };
}

const PROVIDERS = [
  ['bubblewrap', () => openLocalProvider({ isolation: 'bubblewrap' })],
  ['docker', openDockerProvider],
] as const;

describe.each(PROVIDERS.filter(([name]) => isExpected(name)))(
  'an honest answer in %s is graded in a root of its own',
  (_, openProvider) => {
    let played: Played;
    beforeAll(async () => {
      played = await play(HONEST.map(onAnyBase), await openProvider());
    }, PLAY_LIMIT_MS + 30_000);

    it.each(HONEST)('and passes: $name', ({ name }) => {
      const record = played.records.find(({ identity }) => identity.itemId === name);
      expect(outcomeOf(record), JSON.stringify(record, null, 1)).toBe('1');
      const root = name.includes('a-process') ? 'shared' : 'fresh';
      expect(record?.status === 'completed' && record.reward.details).toMatchObject({ root });
    });
  },
);

describe('without a root of its own', () => {
  it('a task that asks for a separate verifier is refused, with the sandbox that would do', async () => {
    const task = {
      'task.toml':
        '[verifier]\nenvironment_mode = "separate"\n[metadata]\nabsolute_paths = false\n',
    };
    const { records } = await play(
      [{ name: 'separate', commands: [], task }],
      await openLocalProvider({ isolation: 'none' }),
    );
    expect(outcomeOf(records[0])).toBe('sandbox_unsupported');
    expect(JSON.stringify(records[0])).toContain('--sandbox bubblewrap');
  });

  it('what the agent left running is ended all the same, and the record says that the root was shared', async () => {
    const task = {
      'instruction.md': 'Write hello into out.txt.',
      'tests/test.sh': 'sleep 0.3; echo 0 > "$VERIFIER_DIR/reward.txt"; sleep 0.3\n',
    };
    const forger =
      '(setsid env -i PATH="$PATH" bash -c \'while :; do for d in /tmp/tmp.*/verifier "$TMPDIR"/tmp.*/verifier; do [ -d "$d" ] && echo 1 > "$d/reward.txt"; done; sleep 0.01; done\' >/dev/null 2>&1 </dev/null &); echo begun';
    const { records } = await play(
      [{ name: 'forger', commands: [forger], task }],
      await openLocalProvider({ isolation: 'none' }),
    );
    expect(records[0]).toMatchObject({ reward: { reward: 0, details: { root: 'shared' } } });
  });
});

describe.runIf(isExpected('bubblewrap'))('a hand-over that is cancelled', () => {
  it('leaves nothing on this machine', async () => {
    const task = {
      'instruction.md': 'Work in /app.',
      'environment/Dockerfile': 'FROM a\nWORKDIR /app\n',
    };
    const agent = await stage('bubblewrap', task);
    const verifier = await stage('bubblewrap', task);
    const folder = await temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    const controller = new AbortController();
    const tools: ToolContext = {
      ...agent.tools,
      download: async (path, local) => {
        controller.abort(new Error('cancelled'));
        const late = agent.sandbox.gone;
        late.addEventListener('abort', () => mkdirSync(local, { recursive: true }));
        throw new Error(`gave up ${path}`);
      },
    };
    const handing = handOver(agent.folder, tools, verifier.tools, controller.signal);
    const given = expect(handing).rejects.toThrow('gave up');
    await once(controller.signal, 'abort');
    await agent.sandbox.dispose();
    await given;
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('how a task is graded', () => {
  const FRESH = { root: 'fresh', carries: 'all', system: 'image', processes: 'end' };
  it.each([
    ['', 'cat out.txt', FRESH],
    ['[metadata]\nstop_processes = true', 'curl http://localhost:80', FRESH],
    ['[metadata]\nstop_processes = false', '', { ...FRESH, root: 'shared', processes: 'keep' }],
    ['[verifier]\nenvironment_mode = "shared"', '', { ...FRESH, root: 'shared' }],
    ['[verifier]\nenvironment_mode = "separate"', 'pgrep x', { ...FRESH, carries: 'artifacts' }],
    ['', 'curl http://localhost:80', { ...FRESH, processes: 'keep' }],
    ['', '# curl http://localhost:80', FRESH],
    [
      '[environment]\nallow_internet = false',
      'nc -z 127.0.0.1 80',
      { ...FRESH, root: 'shared', processes: 'keep' },
    ],
    ['', 'pgrep -x nginx', { ...FRESH, root: 'shared', processes: 'keep' }],
    ['', 'test -S /run/x.sock', { ...FRESH, root: 'shared', processes: 'keep' }],
    [
      '[environment.healthcheck]\ncommand = "true"',
      '',
      { ...FRESH, root: 'shared', processes: 'keep' },
    ],
  ])('%j with the test script %j', async (toml, script, grading) => {
    const dir = await makeTask({
      'task.toml': toml,
      'tests/test.sh': `${script}\necho 1 > reward.txt\n`,
    });
    expect((await readTaskFolder(dir)).grading).toEqual(grading);
  });

  it.each([
    ['ARG BASE=debian\nFROM ${BASE}\nRUN true\n', '', 'any'],
    ['ARG BASE\nFROM --platform=linux/amd64 $BASE AS one\n', '', 'any'],
    ['FROM debian\n', '', 'image'],
    ['ARG BASENAME=debian\nFROM $BASENAME\n', '', 'image'],
    ['# FROM ${BASE}\nFROM debian\n', '', 'image'],
    ['FROM debian\n', '[metadata]\ntests_system = false\n', 'any'],
    ['ARG BASE=debian\nFROM ${BASE}\n', '[metadata]\ntests_system = true\n', 'image'],
    ['ARG BASE=debian\nFROM ${BASE}\n', '[environment]\ndocker_image = "debian"\n', 'image'],
  ])(
    'with the Dockerfile %j and %j: what it means is on %s system',
    async (dockerfile, toml, system) => {
      const dir = await makeTask({ 'task.toml': toml, 'environment/Dockerfile': dockerfile });
      expect((await readTaskFolder(dir)).grading).toMatchObject({ system });
    },
  );

  it.each([
    [{}, false, true],
    [{}, true, false],
    [{ system: 'any' }, true, true],
    [{ system: 'any', processes: 'keep' }, true, false],
    [{ system: 'any', processes: 'keep' }, false, true],
    [{ system: 'any', root: 'shared' }, true, false],
    [{ carries: 'artifacts' }, true, true],
  ] as const)('%j, with images: %j, in a fresh root: %j', (more, images, isFresh) => {
    const grading = { ...FRESH, ...more } as TaskFolder['grading'];
    const capabilities = { absolutePaths: true, isolation: 'container', images } as const;
    expect(hasFreshRoot({ grading }, capabilities)).toBe(isFresh);
  });

  it('by the reward files that its tests name, both where they name none', async () => {
    const named = async (files: Record<string, string>) =>
      (await readTaskFolder(await makeTask(files))).rewardNames;
    expect(await named({ 'tests/test.sh': 'echo 1 > reward.txt' })).toEqual(['reward.txt']);
    expect(
      await named({
        'tests/test.sh': 'python3 "$TESTS_DIR/a.py"',
        'tests/a.py': 'open("reward.json")',
      }),
    ).toEqual(['reward.json']);
    expect(await named({ 'tests/test.sh': 'echo 1 > reward.$KIND' })).toEqual([
      'reward.json',
      'reward.txt',
    ]);
  });

  it('with the places that its instruction and its tests name', async () => {
    const dir = await makeTask({
      'instruction.md': 'Put it to /srv/x/y.txt. See http://x.org/a/b, docs/a/b and ~/notes.md.',
      'tests/test.sh': 'cat "$HOME/.config/tool" /tmp/a-b/; echo 1 > reward.txt',
    });
    expect((await readTaskFolder(dir)).namedPlaces).toEqual([
      '/srv/x/y.txt',
      '/tmp/a-b',
      '~/.config/tool',
      '~/notes.md',
    ]);
  });
});

describe('links in what the agent left', () => {
  it.each([
    ['/tests/expected', false],
    ['../tests/expected', false],
    ['way/tests/expected', false],
    ['/app/way/logs/verifier', false],
    ['/proc/self/cwd', false],
    ['/dev/fd/3', false],
    ['loop', false],
    ['/dev/null', true],
    ['kept.txt', true],
    ['nowhere/at/all', true],
    ['/usr/bin/env', true],
    ['/logs/agent/log', true],
    ['/testsuite', true],
  ])('to %s stay: %s', async (target, stays) => {
    const stage = await temporaryFolder();
    const app = join(stage, 'app');
    await mkdir(app);
    await writeFile(join(app, 'kept.txt'), 'x');
    await symlink('/', join(app, 'way'));
    await symlink('loop', join(app, 'loop'));
    await symlink(target, join(app, 'link'));
    await removeVerifierLinks(stage);
    expect((await readdir(dirname(join(app, 'link')))).includes('link')).toBe(stays);
    expect(await readdir(app)).toEqual(expect.arrayContaining(['kept.txt', 'way']));
  });
});
