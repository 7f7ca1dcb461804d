import type {
  Effects,
  JsonObject,
  Random,
  ResultBudget,
  ToolResult,
  Toolset,
} from '@hermes/protocol';
import type { Command, ExecResult, FileResult, FileStat, Sandbox } from '@hermes/sandbox';
/** What a toolset may ask of the rollout. sandbox: made on first use, the same one after; throws SandboxError. userTask: first 500 characters of the task. */
export interface ToolResources {
  sandbox(signal?: AbortSignal): Promise<Sandbox>;
  readonly userTask: string | null;
}
/** Defaults 180 s, 600 s, 100,000, 200,000 and 1,500 code points; perTool by tool name (read_file cannot be lowered). */
export type ToolLimits = Readonly<{
  commandTimeoutMs?: number;
  maxForegroundMs?: number;
  resultChars?: number;
  turnChars?: number;
  previewChars?: number;
  perTool?: Readonly<Record<string, number>>;
}>;
/** Names to toolsets: includes and aliases resolved without cycles, `disabled` taken off last and by toolset, unknown names are CONFIG with the nearest. Known but not provided here: one warning. */
export type ToolsetCatalog = Readonly<{
  toolsets: ReadonlyMap<string, Toolset<ToolResources>>;
  includes: Readonly<Record<string, readonly string[]>>;
}>;
export type ToolsetChoice = (
  | { readonly enabled: readonly string[] }
  | { readonly distribution: string }
  | { readonly all: true }
) & { readonly disabled?: readonly string[] };
/** For verifiers and setup: the rollout's sandbox without any state of the model. Fresh shell, fixed PATH, own user where asked, no output cap below 100 MiB, no masking. Throws SandboxError only. */
export interface ToolContext {
  readonly sandbox: Sandbox | null; // null: the environment needs none
  exec(command: Command | string, options?: ToolExecOptions): Promise<ExecResult>; // string = script
  readText(path: string): Promise<FileResult<string>>;
  readBytes(path: string): Promise<FileResult<Uint8Array>>;
  stat(path: string): Promise<FileResult<FileStat>>;
  exists(path: string): Promise<boolean>;
  write(
    path: string,
    data: Uint8Array | string,
    options?: { readonly mode?: number },
  ): Promise<FileResult<null>>;
  remove(path: string): Promise<FileResult<null>>;
  upload(local: string, path: string): Promise<FileResult<null>>;
  download(path: string, local: string): Promise<FileResult<null>>; // file or folder
  callTool(name: string, args: JsonObject): Promise<ToolResult>;
} // any tool of the rollout: web, browser, search
export type ToolExecOptions = Readonly<{
  timeoutMs?: number;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  user?: string;
  stdin?: Uint8Array | string;
}>; // 180 s
