import type { JsonObject, ToolResult, Toolset } from '@hermes/protocol';
import type {
  Capabilities,
  Command,
  ExecResult,
  FileResult,
  FileStat,
  Sandbox,
} from '@hermes/sandbox';

/**
 * Where the shell of one rollout stands. The terminal writes it after every command, the file tools
 * read it, so that a relative path means the same to both.
 */
export interface ShellState {
  /** Absolute. null: no command has run yet, so the sandbox's own working directory holds. */
  cwd: string | null;
  /** Grows with every command; tells the file tools that something else happened in between. */
  commandsRun: number;
}

/** What a toolset may ask of the rollout. Made once per rollout by `createToolResources`. */
export interface ToolResources {
  /** Made on first use, the same one after. Throws SandboxError. */
  sandbox(signal?: AbortSignal): Promise<Sandbox>;
  /** The first 500 characters of the task; null: there is none. */
  readonly userTask: string | null;
  readonly shell: ShellState;
  /** What the sandbox will be able to do, known before it exists. Absent: optional abilities are not offered. */
  readonly capabilities?: Capabilities;
  /** Limits of this run: they win over those that a toolset was made with. Absent: the toolset's own hold. */
  readonly limits?: ToolLimits;
}

/** Limits of what a model may run and see. Lengths are Unicode code points. */
export type ToolLimits = Readonly<{
  /** Of a command without a time-out of its own, and the longest `process` wait. Default 180 s. */
  commandTimeoutMs?: number;
  /** The longest foreground time-out that a model may ask for. Default 600 s. */
  maxForegroundMs?: number;
  /** A longer result is saved to a file and replaced by a preview. Default 100,000. */
  resultChars?: number;
  /** The same for all results of one turn together. Default 200,000. */
  turnChars?: number;
  /** Default 1,500. */
  previewChars?: number;
  /** `resultChars` by tool name. `read_file` has none and cannot be given one. */
  perTool?: Readonly<Record<string, number>>;
  /** How long saving a long result may take. Default 30 s. */
  saveTimeoutMs?: number;
}>;

/** The toolsets that can be opened here, by name, and the names that stand for several of them. */
export type ToolsetCatalog = Readonly<{
  toolsets: ReadonlyMap<string, Toolset<ToolResources>>;
  includes: Readonly<Record<string, readonly string[]>>;
}>;

/** Which toolsets a rollout gets. `disabled` is taken off last, whatever chose the rest. */
export type ToolsetChoice = (
  | { readonly enabled: readonly string[] }
  | { readonly distribution: string }
  | { readonly all: true }
) & { readonly disabled?: readonly string[] };

/** warnings: one line each, for people. sampled: what a distribution drew; [] without one. */
export type ResolvedToolsets = Readonly<{
  toolsets: readonly Toolset<ToolResources>[];
  sampled: readonly string[];
  warnings: readonly string[];
}>;

/**
 * For verifiers and setup: the rollout's sandbox without any state of the model. Every command gets
 * a fresh shell in the sandbox's own environment and working directory, keeps 100 MiB a stream, and
 * runs as long as its own time-out says. Nothing is masked or cut for a model.
 * Throws SandboxError only (CANCELLED once the rollout is stopped); missing files and failing
 * commands are values.
 */
export interface ToolContext {
  /** null: the environment needs none; then every method but callTool throws CONFIG. */
  readonly sandbox: Sandbox | null;
  /** A string is a script. */
  exec(command: Command | string, options?: ToolExecOptions): Promise<ExecResult>;
  /** UTF-8; broken bytes become U+FFFD, a byte order mark is dropped. */
  readText(path: string): Promise<FileResult<string>>;
  /** Up to 100 MiB, beyond: FILE_TOO_LARGE. */
  readBytes(path: string): Promise<FileResult<Uint8Array>>;
  stat(path: string): Promise<FileResult<FileStat>>;
  /** false also where the sandbox's user may not look. */
  exists(path: string): Promise<boolean>;
  write(
    path: string,
    data: Uint8Array | string,
    options?: { readonly mode?: number },
  ): Promise<FileResult<null>>;
  /** A folder with all in it; what is not there is success. */
  remove(path: string): Promise<FileResult<null>>;
  /** File or folder of this machine. */
  upload(local: string, path: string): Promise<FileResult<null>>;
  /** File or folder of the sandbox. */
  download(path: string, local: string): Promise<FileResult<null>>;
  /** Any tool of the rollout, as the model would call it. */
  callTool(name: string, args: JsonObject): Promise<ToolResult>;
}

/** timeoutMs: default 180 s, no upper limit. cwd: default the sandbox's working directory. */
export type ToolExecOptions = Readonly<{
  timeoutMs?: number;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  user?: string;
  stdin?: Uint8Array | string;
  /** What becomes of children that outlive the command. Default: `kill`. */
  background?: 'kill' | 'adopt';
  /** How much of each stream is kept, half from its start, half from its end. Default: 100 MiB. */
  maxOutputBytes?: number;
}>;
