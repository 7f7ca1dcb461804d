import { ModelError } from '@hermes/protocol';
import type { Llama, LlamaLogLevel } from 'node-llama-cpp';

type Binding = typeof import('node-llama-cpp');

/**
 * Starts llama.cpp in this process, from the library's ready-made binaries: nothing is compiled or
 * downloaded. `hear`: the library tells the first one of a process only.
 */
export async function startLlama(
  options: Readonly<{ gpu?: boolean; threads: number }>,
  hear: (severity: 'warn' | 'error', message: string) => void,
): Promise<Llama> {
  const { getLlama, LlamaLogLevel: level } = await importBinding();
  try {
    return await getLlama({
      gpu: options.gpu ? 'auto' : false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: level.warn,
      logger: (severity, message) => hear(severityOf(severity), message.trimEnd()),
      maxThreads: options.threads,
    });
  } catch (cause) {
    throw new ModelError(
      'CONFIG',
      'llama.cpp does not start here. node-llama-cpp brings its binaries in packages such as @node-llama-cpp/linux-x64: install the one of this machine.',
      { cause },
    );
  }
}

async function importBinding(): Promise<Binding> {
  try {
    return await import('node-llama-cpp');
  } catch (cause) {
    throw new ModelError(
      'CONFIG',
      'The package node-llama-cpp is not installed: npm install node-llama-cpp',
      { cause },
    );
  }
}

function severityOf(level: LlamaLogLevel): 'warn' | 'error' {
  return level === 'error' || level === 'fatal' ? 'error' : 'warn';
}
