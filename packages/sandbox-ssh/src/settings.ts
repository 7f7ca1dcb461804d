import type { Hop } from './hop.ts';

/** A server on the way, with its own account. What is absent is as for the host itself, except password and passphrase. */
export type SshHopSettings = Readonly<{
  host: string;
  port?: number;
  user?: string;
  key?: string;
  passphrase?: string;
  password?: string;
  agent?: string;
}>;

/** What a user may set for the provider `ssh`. */
export type SshSandboxSettings = Readonly<{
  /** Name or address of the host, or a name of the ssh configuration. Default: TERMINAL_SSH_HOST. */
  host?: string;
  /** Default: TERMINAL_SSH_PORT, else that of the ssh configuration, else 22. */
  port?: number;
  /** The account. `root` may run commands as other users. Default: TERMINAL_SSH_USER, else that of the ssh configuration, else the local user's name. */
  user?: string;
  /** File of a private key. Default: TERMINAL_SSH_KEY, else those of the ssh configuration or of `~/.ssh` that are there. */
  key?: string;
  /** Of the key file. Default: TERMINAL_SSH_PASSPHRASE. */
  passphrase?: string;
  /** Tried last, also where the server asks for it interactively. Default: TERMINAL_SSH_PASSWORD. */
  password?: string;
  /** Socket of an ssh agent; an empty string: none. Default: that of the ssh configuration, else SSH_AUTH_SOCK. */
  agent?: string;
  /** Servers to go through, first one first: `user@host:port`, separated by commas, or a list. Default: TERMINAL_SSH_JUMP, else ProxyJump of the ssh configuration. */
  jump?: string | readonly (string | SshHopSettings)[];
  /**
   * ssh configuration in OpenSSH's form. Read are HostName, User, Port, IdentityFile, IdentityAgent, ProxyJump, HostKeyAlias,
   * UserKnownHostsFile, GlobalKnownHostsFile and StrictHostKeyChecking, which can only make us stricter. An empty string: none.
   * Default: TERMINAL_SSH_CONFIG, else `~/.ssh/config` and `/etc/ssh/ssh_config`.
   */
  sshConfig?: string | readonly string[];
  /** Files of known hosts. Default: TERMINAL_SSH_KNOWN_HOSTS, else those of the ssh configuration, else `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`. */
  knownHosts?: string | readonly string[];
  /** A host that no file knows: `known` (default) refuses it, `accept-new` adds its key to the first file. Another key than the known one is always refused. Default: TERMINAL_SSH_HOST_KEYS. */
  hostKeys?: 'known' | 'accept-new';
  /** Folder on the host for all sandboxes of the account. Default: `/var/tmp/hermes-ssh-<uid>`. */
  rootDir?: string;
  /** Where the host's control groups are mounted. Default `/sys/fs/cgroup`. */
  cgroupRoot?: string;
  /** The program inside: the Go program, or the slower `sh` script. Default `auto`: Go where there is a build and it runs. */
  supervisor?: 'auto' | 'go' | 'sh';
  /** Most connections at once; sandboxes beyond what they hold wait. Default 32. */
  connections?: number;
  /** Sessions opened on one connection (the server's MaxSessions is 10 by default); what it refuses is learned. Default 5. */
  sessionsPerConnection?: number;
  /** A quiet connection is probed so often; three unanswered probes end it. Default 2000. */
  keepaliveMs?: number;
  /** Longest wait for a connection, and for the account's shell to answer. Default 20000. */
  connectTimeoutMs?: number;
  /** Longest wait for a lost connection to come back; after it the sandbox is lost. Default 10000. */
  reconnectMs?: number;
  /** A sandbox ends by itself when nobody was connected for so long. Default 60000. */
  orphanMs?: number;
  /** Accepted for compatibility (TERMINAL_SSH_PERSISTENT): the connection is always held. */
  persistent?: boolean;
}>;

/** Settings with every default filled in. */
export type ResolvedSshSettings = Readonly<{
  /** The way to the host, which is the last one; null: no host was named. */
  hops: readonly Hop[] | null;
  rootDir: string;
  cgroupRoot: string;
  supervisor: 'auto' | 'go' | 'sh';
  connections: number;
  sessionsPerConnection: number;
  keepaliveMs: number;
  connectTimeoutMs: number;
  reconnectMs: number;
  orphanMs: number;
}>;
