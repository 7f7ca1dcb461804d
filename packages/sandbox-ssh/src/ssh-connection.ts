import type { Duplex, Readable, Writable } from 'node:stream';
import { SandboxError } from '@hermes/sandbox';
import ssh2, { type Client, type ClientChannel, type ServerHostKeyAlgorithm } from 'ssh2';
import { type AuthMethod, authMethods } from './auth-methods.ts';
import { EndListeners } from './end-listeners.ts';
import { describeHop, type Hop } from './hop.ts';
import { HostKeys } from './host-keys.ts';
import { endWhenSilent, openLine } from './line.ts';
import type { ResolvedSshSettings } from './settings.ts';
import { isLogInRefusal, sshError } from './ssh-error.ts';

/** One way to the host that is open: commands and forwarded ports go over it side by side. */
export class SshConnection {
  readonly closed: Promise<void>;
  readonly #clients: readonly Client[];
  readonly #ends = new EndListeners();
  #isOpen = true;

  constructor(clients: readonly Client[]) {
    this.#clients = clients;
    this.closed = new Promise((resolve) => this.#last.once('close', resolve));
    void this.closed.then(() => {
      this.close();
      this.#ends.end();
    });
  }

  /** Calls when it has closed, unless what is returned was called before. */
  onClosed(listener: () => void): () => void {
    return this.#ends.add(listener);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  exec(command: string): Promise<ClientChannel> {
    return this.#opened((done) => this.#last.exec(command, done));
  }

  /** A stream to a port as the host sees it. Rejects with the server's reason. */
  forward(host: string, port: number): Promise<ClientChannel> {
    return this.#opened((done) => this.#last.forwardOut('127.0.0.1', 0, host, port, done));
  }

  close(): void {
    this.#isOpen = false;
    for (const client of [...this.#clients].reverse()) client.destroy();
  }

  get #last(): Client {
    return lastOf(this.#clients);
  }

  /** A connection that dies meanwhile may never answer. */
  #opened(
    open: (done: (error: Error | undefined, channel: ClientChannel) => void) => unknown,
  ): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      const leave = this.onClosed(() => reject(new Error('the connection ended')));
      open((error, channel) => {
        leave();
        if (error) reject(error);
        else resolve(channel);
      });
    });
  }
}

/** Logs in to the host, through all servers before it. Throws AUTH, TRANSPORT or CONFIG, each in bounded time. */
export async function connect(
  hops: readonly Hop[],
  settings: ResolvedSshSettings,
): Promise<SshConnection> {
  const clients: Client[] = [];
  try {
    for (const hop of hops) {
      const hostKeys = await HostKeys.read(hop);
      const methods = await authMethods(hop);
      const isFirst = clients.length === 0;
      const line = isFirst
        ? await openLine(hop, settings.connectTimeoutMs)
        : await through(lastOf(clients), hop);
      clients.push(await logIn(hop, { line, methods, hostKeys, settings }));
    }
    return new SshConnection(clients);
  } catch (cause) {
    for (const client of clients.reverse()) client.destroy();
    throw cause;
  }
}

function lastOf(clients: readonly Client[]): Client {
  const last = clients.at(-1);
  if (last === undefined)
    throw new SandboxError('CONFIG', 'provider', 'sandbox ssh: no host is set');
  return last;
}

function through(client: Client, { host, port }: Hop): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, host, port, (error, channel) => {
      if (error === undefined || error === null) resolve(channel);
      else reject(sshError(error, `reach ${host}:${port} through the server before it`));
    });
  });
}

type LogIn = Readonly<{
  /** The bytes between here and the server. */
  line: Duplex;
  methods: readonly AuthMethod[];
  hostKeys: HostKeys;
  settings: ResolvedSshSettings;
}>;

async function logIn(hop: Hop, { line, methods, hostKeys, settings }: LogIn): Promise<Client> {
  const attempted = `connect to ${describeHop(hop)}`;
  const client = new ssh2.Client();
  const verdict: { error: SandboxError | null } = { error: null };
  const ready = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    client.once('close', () => reject(new Error('the connection was closed')));
    // Also later: without a listener the process would crash. An agent that fails is one way to log in less.
    client.on('error', (error) => {
      if ((error as { level?: string }).level !== 'agent') reject(error);
    });
  });
  client.connect({
    sock: line as Readable & Writable,
    username: hop.user,
    authHandler: methods.map(({ method }) => method),
    readyTimeout: settings.connectTimeoutMs,
    keepaliveInterval: settings.keepaliveMs,
    // Ours to count: the library takes a reply that waits behind data for silence.
    keepaliveCountMax: Number.MAX_SAFE_INTEGER,
    algorithms: { serverHostKey: wantedKeyTypes(hostKeys.types) },
    hostVerifier: (key: Buffer, verify: (isTrusted: boolean) => void) => {
      void hostKeys.check(key).then((error) => {
        verdict.error = error;
        verify(error === null);
      });
    },
  });
  try {
    await ready;
    endWhenSilent(line, settings.keepaliveMs);
    return client;
  } catch (cause) {
    client.destroy();
    throw verdict.error ?? logInError(cause, attempted, methods);
  }
}

function logInError(
  cause: unknown,
  attempted: string,
  methods: readonly AuthMethod[],
): SandboxError {
  if (!isLogInRefusal(cause)) return sshError(cause, attempted);
  const tried = methods.map(({ words }) => words).join(', ');
  const what = tried === '' ? 'there was nothing to log in with' : `it accepted none of: ${tried}`;
  const message = `${attempted}: ${what}; set key, agent or password`;
  return new SandboxError('AUTH', 'provider', message, { cause });
}

/** Types of key that files know come first; a host that has none of them shows another one, and is refused for it. */
function wantedKeyTypes(known: readonly string[]): ServerHostKeyAlgorithm[] {
  const all = [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ] as const;
  const isKnown = (name: string) =>
    known.includes(name) || (name.startsWith('rsa-') && known.includes('ssh-rsa'));
  return [...all.filter(isKnown), ...all.filter((name) => !isKnown(name))];
}
