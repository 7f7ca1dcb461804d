export type { DriverProviderOptions } from './core/provider.ts';
export { createProviderFromDriver } from './core/provider.ts';
export type { SupervisorFiles } from './core/supervisor-files.ts';
export { supervisorFiles } from './core/supervisor-files.ts';
export {
  createMemorySandboxProvider,
  type MemoryProviderOptions,
} from './memory/create-memory-sandbox-provider.ts';
export { nearestName } from './nearest-name.ts';
export type {
  ByteChannel,
  Capabilities,
  CapturedBytes,
  Command,
  CreateOptions,
  CreateSandboxProvider,
  DriverCreateOptions,
  DriverSandbox,
  ExecRequest,
  ExecResult,
  ExecStatus,
  FileCode,
  FileResult,
  FileStat,
  ImageSpec,
  LabelFilter,
  MemoryAnswer,
  MemoryCall,
  Mount,
  NetworkPolicy,
  OutputLimits,
  PreflightReport,
  Proc,
  ProviderContext,
  ProvisionEvent,
  ReapPolicy,
  ReapReport,
  ResourceLimits,
  Sandbox,
  SandboxDriver,
  SandboxErrorCode,
  SandboxErrorScope,
  SandboxFiles,
  SandboxInfo,
  SandboxOutcome,
  SandboxPorts,
  SandboxProvider,
  SandboxRef,
  SandboxSpec,
  SessionOptions,
  ShellSession,
} from './types.ts';
export { SandboxError } from './types.ts';
