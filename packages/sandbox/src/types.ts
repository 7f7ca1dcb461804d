// All public types of the package; each theme has a file below types/.
export type { Capabilities } from './types/capabilities.ts';
export type {
  CapturedBytes,
  Command,
  ExecRequest,
  ExecResult,
  ExecStatus,
  OutputLimits,
  Proc,
} from './types/exec.ts';
export type { MemoryAnswer, MemoryCall } from './types/memory.ts';
export type {
  Sandbox,
  SandboxInfo,
  SandboxOutcome,
  SandboxPorts,
  SessionOptions,
  ShellSession,
} from './types/sandbox.ts';
export type {
  ByteChannel,
  DriverCreateOptions,
  DriverSandbox,
  SandboxDriver,
} from './types/sandbox-driver.ts';
export type { SandboxErrorCode, SandboxErrorScope } from './types/sandbox-error.ts';
export { SandboxError } from './types/sandbox-error.ts';
export type { FileCode, FileResult, FileStat, SandboxFiles } from './types/sandbox-files.ts';
export type {
  CreateOptions,
  CreateSandboxProvider,
  LabelFilter,
  PreflightReport,
  ProviderContext,
  ProvisionEvent,
  ReapPolicy,
  ReapReport,
  SandboxProvider,
  SandboxRef,
} from './types/sandbox-provider.ts';
export type {
  ImageSpec,
  Mount,
  NetworkPolicy,
  ResourceLimits,
  SandboxSpec,
} from './types/sandbox-spec.ts';
