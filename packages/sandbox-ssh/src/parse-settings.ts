import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { checkSettingNames, settingsError } from '@hermes/sandbox/host';
import { z } from 'zod';
import { parseHopName } from './hop.ts';
import { type HopContext, jumpsOf, type NamedHop, resolveHop } from './resolve-hops.ts';
import type { ResolvedSshSettings, SshSandboxSettings } from './settings.ts';
import { type LocalFiles, readSshConfig, systemFiles } from './ssh-config-files.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const whole = (minimum: number, maximum = 2_147_483_647) =>
  z
    .union([z.number(), z.string().regex(/^\d+$/, 'give a whole number').transform(Number)])
    .pipe(z.number().int().min(minimum).max(maximum));
const text = z.string().min(1);
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', 'yes', 'no']).transform((word) => /^(true|1|yes)$/.test(word)),
]);

const account = {
  port: whole(1, 65_535).optional(),
  user: text.optional(),
  key: text.optional(),
  passphrase: z.string().optional(),
  password: z.string().optional(),
  agent: z.string().optional(),
};

const schema = z.object({
  host: text.optional(),
  ...account,
  jump: z
    .union([text, z.array(z.union([text, z.strictObject({ host: text, ...account })]))])
    .optional(),
  sshConfig: z
    .union([z.string().transform((path) => (path === '' ? [] : [path])), z.array(text)])
    .default(['~/.ssh/config', '/etc/ssh/ssh_config']),
  knownHosts: z.union([text.transform((path) => [path]), z.array(text).min(1)]).optional(),
  hostKeys: z.enum(['known', 'accept-new']).default('known'),
  rootDir: z.string().default(''),
  cgroupRoot: z.string().startsWith('/').default('/sys/fs/cgroup'),
  supervisor: z.enum(['auto', 'go', 'sh']).default('auto'),
  connections: whole(1).default(32),
  sessionsPerConnection: whole(1).default(5),
  keepaliveMs: whole(100).default(2000),
  connectTimeoutMs: whole(100).default(20_000),
  reconnectMs: whole(0).default(10_000),
  orphanMs: whole(1000).default(60_000),
  persistent: flag.default(true),
});

type Parsed = z.output<typeof schema>;

/** Which variable stands for which setting. */
const VARIABLES: Readonly<Partial<Record<keyof SshSandboxSettings, string>>> = {
  host: 'TERMINAL_SSH_HOST',
  port: 'TERMINAL_SSH_PORT',
  user: 'TERMINAL_SSH_USER',
  key: 'TERMINAL_SSH_KEY',
  passphrase: 'TERMINAL_SSH_PASSPHRASE',
  password: 'TERMINAL_SSH_PASSWORD',
  jump: 'TERMINAL_SSH_JUMP',
  sshConfig: 'TERMINAL_SSH_CONFIG',
  knownHosts: 'TERMINAL_SSH_KNOWN_HOSTS',
  hostKeys: 'TERMINAL_SSH_HOST_KEYS',
  persistent: 'TERMINAL_SSH_PERSISTENT',
};

/**
 * Checks raw settings strictly and fills in what the environment and the ssh configuration say. Throws SandboxError CONFIG that names
 * the key or the variable.
 */
export function parseSshSettings(
  raw: unknown,
  env: Variables = process.env,
  files: LocalFiles = systemFiles,
): ResolvedSshSettings {
  const given = checkSettingNames('ssh', raw, Object.keys(schema.shape));
  const parsed = schema.safeParse({ ...fromEnvironment(env), ...given });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [key = ''] = issue?.path ?? [];
    const isGiven = given[String(key)] !== undefined;
    const variable = VARIABLES[key as keyof SshSandboxSettings] ?? key;
    const name = isGiven ? `setting '${issue?.path.join('.')}'` : String(variable);
    throw settingsError('ssh', `${name}: ${issue?.message}`);
  }
  checkKnownHosts(parsed.data);
  return resolve(parsed.data, env, files);
}

function fromEnvironment(env: Variables): Record<string, string> {
  const entries = Object.entries(VARIABLES).map(([key, name]) => [key, env[name]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** A file that keeps nothing would make a changed key a new one. */
function checkKnownHosts({ knownHosts, hostKeys }: Parsed): void {
  if (hostKeys !== 'accept-new' || knownHosts?.[0] !== '/dev/null') return;
  throw settingsError('ssh', "setting 'knownHosts': accept-new needs a file that keeps keys");
}

function resolve(parsed: Parsed, env: Variables, files: LocalFiles): ResolvedSshSettings {
  const { host, port, user, key, passphrase, password, agent, jump, ...others } = parsed;
  const { sshConfig, knownHosts, hostKeys, persistent: _, ...rest } = others;
  if (host === undefined) return { ...rest, hops: null };
  const context = contextOf({ sshConfig, knownHosts, hostKeys }, env, files);
  const own = defined({ user, key, agent });
  const last: NamedHop = { ...own, ...defined({ passphrase, password, port }), host };
  const before =
    jump === undefined
      ? jumpsOf(last, context)
      : jumps(jump).map((hop) => resolveHop({ ...own, ...hop }, context));
  return { ...rest, hops: [...before, resolveHop(last, context)] };
}

function contextOf(
  { sshConfig, knownHosts, hostKeys }: Pick<Parsed, 'sshConfig' | 'knownHosts' | 'hostKeys'>,
  env: Variables,
  files: LocalFiles,
): HopContext {
  const home = env.HOME ?? homedir();
  const expand = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path);
  const config = readSshConfig(sshConfig, expand, files);
  const { username: localUser } = userInfo();
  return { config, localUser, home, agent: env.SSH_AUTH_SOCK, knownHosts, hostKeys, expand };
}

function jumps(jump: NonNullable<Parsed['jump']>): NamedHop[] {
  const list = typeof jump === 'string' ? jump.split(',') : jump;
  return list.map((one) => (typeof one === 'string' ? named(one) : defined(one)));
}

function named(name: string): NamedHop {
  const hop = parseHopName(name);
  if (hop === null) throw settingsError('ssh', `setting 'jump': '${name}' is no user@host:port`);
  return hop;
}

/** Without the keys that are there but undefined: they would hide the defaults. */
function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
