import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SandboxError } from '@hermes/sandbox';
import { describeHop, type Hop, knownName } from './hop.ts';
import {
  fingerprint,
  type HostKeyVerdict,
  judgeHostKey,
  type KnownHost,
  keyType,
  knownHostLine,
  knownKeyTypes,
  parseKnownHosts,
} from './known-hosts.ts';

/** What is known of a host's keys, read anew for each connection. */
export class HostKeys {
  readonly #hop: Hop;
  readonly #lines: readonly KnownHost[];

  static async read(hop: Hop): Promise<HostKeys> {
    const texts = await Promise.all(hop.knownHosts.map(readIfThere));
    return new HostKeys(hop, texts.flatMap(parseKnownHosts));
  }

  private constructor(hop: Hop, lines: readonly KnownHost[]) {
    this.#hop = hop;
    this.#lines = lines;
  }

  get types(): readonly string[] {
    return knownKeyTypes(this.#lines, knownName(this.#hop));
  }

  /** Null when the key may be trusted; else the error that says why not. A new host's key is written down where that was asked for. */
  async check(key: Buffer): Promise<SandboxError | null> {
    const verdict = judgeHostKey(this.#lines, knownName(this.#hop), key);
    if (verdict === 'known') return null;
    if (verdict !== 'unknown' || this.#hop.hostKeys !== 'accept-new')
      return refusal(verdict, this.#hop, key);
    const [file = ''] = this.#hop.knownHosts;
    const name = knownName(this.#hop);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, knownHostLine(name, key), { mode: 0o600 });
      return null;
    } catch (cause) {
      const message = `keep the key of ${name} in ${file}: ${String(cause)}`;
      return new SandboxError('CONFIG', 'provider', message, { cause });
    }
  }
}

function refusal(verdict: Exclude<HostKeyVerdict, 'known'>, hop: Hop, key: Buffer): SandboxError {
  const files = hop.knownHosts.join(', ');
  const shown = `${keyType(key)} ${fingerprint(key)}`;
  const port = hop.port === 22 ? '' : `-p ${hop.port} `;
  const add = `compare it with the host's own, then add it (ssh-keyscan ${port}${hop.host} >> ${hop.knownHosts[0]})`;
  const why: Readonly<Record<typeof verdict, string>> = {
    unknown: `its key ${shown} is not in ${files}; ${add} or set hostKeys: accept-new`,
    changed: `its key ${shown} is another one than ${files} has for it: somebody may be in between; if the host was set up anew, remove the old line`,
    revoked: `its key ${shown} is marked @revoked in ${files}: the host needs a new one`,
    certified: `${files} trusts only a @cert-authority for it, and certificates of hosts are not understood here; its key is ${shown}: ${add}`,
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
