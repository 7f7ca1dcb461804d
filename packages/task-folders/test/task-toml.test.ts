import { describe, expect, it } from 'vitest';
import { parseTaskToml } from '../src/parse-task-toml.ts';

const GIB = 1024 ** 3;

describe('task.toml', () => {
  it.each(['1.0', '1.1', '1.2', '1.3', '1.4'])(
    'of version %s is read without a remark',
    (version) => {
      for (const key of ['schema_version', 'version'])
        expect(parseTaskToml(`${key} = "${version}"`).problems).toEqual([]);
    },
  );

  it('of an unknown version is read as the newest, with a remark', () => {
    expect(parseTaskToml('# x\nversion = "9.9"').problems).toEqual([
      expect.objectContaining({ level: 'warning', place: 'task.toml:2' }),
    ]);
  });

  it('of no content has the defaults', () => {
    const { toml, memoryBytes, diskBytes } = parseTaskToml('');
    expect([toml.verifier.timeout_sec, toml.environment.build_timeout_sec]).toEqual([600, 600]);
    expect([toml.agent.timeout_sec, toml.environment.cpus, memoryBytes, diskBytes]).toEqual([
      undefined,
      undefined,
      null,
      null,
    ]);
  });

  it.each([
    ['memory_mb = 2048', 2 * GIB],
    ['memory = "2G"', 2 * GIB],
    ['memory = "512M"', GIB / 2],
    ['memory = "64K"', 64 * 1024],
    ['memory = "1.5g"', 1.5 * GIB],
    ['memory = "2G"\nmemory_mb = 2048', 2 * GIB],
  ])('%j is a size', (line, bytes) => {
    expect(parseTaskToml(`[environment]\n${line}`).memoryBytes).toBe(bytes);
  });

  it('takes storage in both forms too', () => {
    expect(parseTaskToml('[environment]\nstorage = "10G"').diskBytes).toBe(10 * GIB);
    expect(parseTaskToml('[environment]\nstorage_mb = 1024').diskBytes).toBe(GIB);
  });

  it.each([
    ['[environment]\nmemory = "2G"\nmemory_mb = 1024', 'task.toml:2', 'memory and memory_mb'],
    ['[environment]\nstorage = "2G"\nstorage_mb = 1024', 'task.toml:2', 'storage and storage_mb'],
    ['[environment]\nmemory = "much"', 'task.toml:2', 'no size'],
    [
      '[environment]\nallow_internet = true\nnetwork_mode = "no-network"',
      'task.toml:2',
      'contradicts',
    ],
    ['version = "1.0"\nschema_version = "1.1"', 'task.toml:1', 'contradicts'],
    ['[environment]\nnetwork_mode = "allowlist"', 'task.toml:2', 'allowed_hosts'],
    ['[environment]\nallowed_hosts = ["x.org"]', 'task.toml:2', 'allowlist'],
    ['[agent]\nnetwork_mode = "public"\nallowed_hosts = ["x"]', 'task.toml:3', 'allowlist'],
    ['[environment]\nmemory_mb = 512.5', 'task.toml:2', 'environment.memory_mb'],
    ['[task]\nname = "no-slash"', 'task.toml:2', 'org/name'],
    ['[agent]\n\ntimeout_sec = "900"', 'task.toml:3', 'agent.timeout_sec'],
    ['[agent]\ntimeout_sec = -1', 'task.toml:2', 'agent.timeout_sec'],
    ['[agent]\ntimeout_sec = inf', 'task.toml:2', 'agent.timeout_sec'],
    ['[environment]\ncpus = "two"', 'task.toml:2', 'environment.cpus'],
    ['environment.cpus = "two"', 'task.toml:1', 'environment.cpus'],
    ['[metadata]\ncommands = "git"', 'task.toml:2', 'metadata.commands'],
    ['[metadata]\ncommands = ["git", 3]', 'task.toml:2', 'metadata.commands.1'],
    ['[verifier.env]\nA = 1', 'task.toml:2', 'verifier.env.A'],
    ['[environment]\nos = "beos"', 'task.toml:2', 'environment.os'],
    ['agent = 3', 'task.toml:1', 'agent'],
    ['[agent\ntimeout_sec = 1', 'task.toml:1', 'TOML'],
    ['a = 1\na = 2', 'task.toml:2', 'TOML'],
    ['a = "open', 'task.toml:1', 'TOML'],
  ])('%j is refused with its line', (text, place, message) => {
    expect(() => parseTaskToml(text)).toThrow(
      expect.objectContaining({ code: 'TASK', boundary: 'data' }),
    );
    expect(() => parseTaskToml(text)).toThrow(place);
    expect(() => parseTaskToml(text)).toThrow(message);
  });

  it('reads on past unknown keys, and names each with its line', () => {
    const text =
      'colour = "red"\n[agent]\ntimeout_sec = 3\nspeed = 2\n[environment.healthcheck]\ncommand = "true"\nhurry = 1\n[extra]\nx = 1\n[metadata]\nfree = 1';
    const { toml, problems } = parseTaskToml(text);
    expect(toml.agent.timeout_sec).toBe(3);
    expect(
      problems.map(({ place, message }) => `${place} ${message.split(' ')[0]}`).sort(),
    ).toEqual([
      'task.toml:1 colour',
      'task.toml:4 agent.speed',
      'task.toml:7 environment.healthcheck.hurry',
      'task.toml:8 extra',
    ]);
    expect(problems.every(({ level }) => level === 'warning')).toBe(true);
  });

  it('names what it knows and does not follow yet', () => {
    const { problems } = parseTaskToml('artifacts = ["/x"]\n[environment]\nskills_dir = "/s"');
    expect(problems.map(({ place }) => place)).toEqual(['task.toml:1', 'task.toml:3']);
  });
});
