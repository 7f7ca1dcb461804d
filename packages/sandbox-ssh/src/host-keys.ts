import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SandboxError } from '@hermes/sandbox';
import { describeHop, type Hop, hostName } from './hop.ts';
import {
  fingerprint,
  judgeHostKey,
  type KnownHost,
  keyType,
  knownHostLine,
  knownKeyTypes,
  parseKnownHosts,
} from './known-hosts.ts';
import type { ResolvedSshSettings } from './settings.ts';

type Policy = Pick<ResolvedSshSettings, 'knownHosts' | 'hostKeys'>;

/** What is known of hosts, read anew for each connection. */
export class HostKeys {
  readonly #policy: Policy;
  #lines: readonly KnownHost[] = [];

  static async read(policy: Policy): Promise<HostKeys> {
    const keys = new HostKeys(policy);
    const texts = await Promise.all(policy.knownHosts.map(readIfThere));
    keys.#lines = texts.flatMap(parseKnownHosts);
    return keys;
  }

  private constructor(policy: Policy) {
    this.#policy = policy;
  }

  types(hop: Hop): readonly string[] {
    return knownKeyTypes(this.#lines, hop);
  }

  /** Null when the key may be trusted; else the error that says why not. A new host's key is written down where that was asked for. */
  async check(hop: Hop, key: Buffer): Promise<SandboxError | null> {
    const verdict = judgeHostKey(this.#lines, hop, key);
    if (verdict === 'known') return null;
    if (verdict !== 'unknown' || this.#policy.hostKeys !== 'accept-new')
      return refusal(verdict, hop, key, this.#policy);
    const [file = ''] = this.#policy.knownHosts;
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, knownHostLine(hop.host, hop.port, key), { mode: 0o600 });
      return null;
    } catch (cause) {
      const message = `keep the key of ${hostName(hop.host, hop.port)} in ${file}: ${String(cause)}`;
      return new SandboxError('CONFIG', 'provider', message, { cause });
    }
  }
}

function refusal(
  verdict: 'unknown' | 'changed' | 'revoked',
  hop: Hop,
  key: Buffer,
  { knownHosts }: Policy,
): SandboxError {
  const files = knownHosts.join(', ');
  const shown = `${keyType(key)} ${fingerprint(key)}`;
  const port = hop.port === 22 ? '' : `-p ${hop.port} `;
  const why = {
    unknown: `its key ${shown} is not in ${files}; compare it with the host's own, then add it (ssh-keyscan ${port}${hop.host} >> ${knownHosts[0]}) or set hostKeys: accept-new`,
    changed: `its key ${shown} is another one than ${files} has for it: somebody may be in between; if the host was set up anew, remove the old line`,
    revoked: `its key ${shown} is marked @revoked in ${files}`,
  };
  const message = `connect to ${describeHop(hop)}: the host is refused: ${why[verdict]}`;
  return new SandboxError('AUTH', 'provider', message);
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    const message = `sandbox ssh: read the known hosts ${path}: ${String(cause)}`;
    throw new SandboxError('CONFIG', 'provider', message, { cause });
  }
}
