import type { Effects } from '@hermes/protocol';
import type { SandboxProvider, SandboxSpec } from '@hermes/sandbox';

/** What a server is made of. */
export type SandboxServerOptions = Readonly<{
  /** Where slots come from: one sandbox for each slot in use. A pool is a provider too. The caller closes it, after the server. */
  provider: SandboxProvider;
  /** What every request must bear: `Authorization: Bearer TOKEN`. */
  token: string;
  /** How many slots there are: `slot_0`, `slot_1`, ... Default 10. */
  slots?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 8080; 0: any free one. */
  port?: number;
  /** Of every sandbox, for example its image and its limits. The network is that of the slot's first command. */
  spec?: Pick<SandboxSpec, 'image' | 'resources' | 'env' | 'user' | 'readonlyRoot' | 'mounts'>;
  /** Sandboxes end by themselves after so long. Default 4 hours. */
  lifetimeMs?: number;
  /** Serve also where the provider isolates nothing. Default false: such a provider is refused. */
  insecureNoSandbox?: boolean;
  limits?: Partial<ServerLimits>;
  effects?: Partial<Effects>;
}>;

/** What answers hold at most. */
export type ServerLimits = Readonly<{
  /** Characters of a command's output, from its start. Default 50,000. */
  outputChars: number;
  /** Characters of a file that `read_file` gives. Default 100,000. */
  fileChars: number;
  /** Bytes of an artifact or an archive. Default 5,000,000. */
  artifactBytes: number;
  /** Entries of a list or an archive. Default 5,000. */
  entries: number;
  /** Bytes of a request. Default 16 MiB. */
  bodyBytes: number;
}>;

/** A running server. */
export interface SandboxServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Takes no more requests and ends every slot's sandbox. Idempotent. */
  close(): Promise<void>;
}
