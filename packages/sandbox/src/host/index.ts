// A provider out of a launcher.

export { unsupported } from '../core/errors.ts';
export { absoluteWorkdir } from './absolute-workdir.ts';
export { hostCapabilities } from './host-capabilities.ts';
export { createHostDriver } from './host-driver.ts';
export type { HostSupervisor } from './host-supervisor.ts';
export { findHostSupervisor, supervisorPlace } from './host-supervisor.ts';
export { joinCommand } from './join-command.ts';
export type { Argv, Launcher, Layout, SandboxPlaces } from './launcher.ts';
export { PROGRAM_PATH, plainLayout } from './plain-layout.ts';
export { checkSettingNames, settingsError } from './provider-settings.ts';
export { relativeWorkdir } from './relative-workdir.ts';
export type { SandboxHost, SandboxHostOptions } from './sandbox-host.ts';
export { openSandboxHost } from './sandbox-host.ts';
export type { SystemFolders } from './system-folders.ts';
export { findSystemFolders } from './system-folders.ts';

// Ports.

export type { ForwardedPortsOptions } from './forwarded-ports.ts';
export { forwardedPorts } from './forwarded-ports.ts';

// Processes.

export type { PipedChild } from './byte-channel.ts';
export { createByteChannel } from './byte-channel.ts';
export { killSandboxProcesses, MARK_VARIABLE } from './kill-sandbox.ts';
export type { ProcessEntry, ProcessId } from './process-table.ts';
export {
  hasEnvironmentEntry,
  identifyProcess,
  isProcessAlive,
  listProcesses,
  signalProcess,
} from './process-table.ts';
export type { StartedProcess, StartOptions } from './start-process.ts';
export { startProcess } from './start-process.ts';

// Control groups.

export type { CgroupLimits, LimitWrite } from './cgroup-limits.ts';
export { applyLimits, limitWrites } from './cgroup-limits.ts';
export { readUsage } from './cgroup-usage.ts';
export type { SandboxCgroup } from './cgroups.ts';
export {
  createCgroup,
  joinFiles,
  killCgroup,
  listMembers,
  planCgroup,
  removeCgroup,
} from './cgroups.ts';
export type { CgroupController, CgroupHost } from './probe-cgroups.ts';
export { probeCgroups } from './probe-cgroups.ts';

// Folders.

export { usedBytes } from './disk-guard.ts';
export { endSandbox } from './end-sandbox.ts';
export { removeTree } from './remove-tree.ts';
export { claimFolder, listSandboxIds, sandboxFolder, sandboxId } from './sandbox-folders.ts';
export type { SandboxRecord, SandboxTraces } from './sandbox-record.ts';
export { readRecord, writeRecord } from './sandbox-record.ts';
export { makeTransferFolder, sweepTransferFolders } from './transfer-folder.ts';
