import { dirname } from 'node:path';
import { openTokenEngine, type ServerType } from '@hermes/managed-server';
import type { TokenEngine } from '@hermes/protocol';
import { isInstalled, runScript, serve } from './serve.ts';

/** An engine that a server of this machine runs for us, and the end of both. */
export type OpenedServer = Readonly<{
  engine: TokenEngine;
  version: string;
  /** How many generations the server says that it runs just now. */
  countRunning(): Promise<number>;
  close(): Promise<void>;
}>;

/** A server with a script in `tooling/services`. */
export type RealServer = Readonly<{
  /** The name of the script. */
  service: 'llama-server' | 'sglang' | 'vllm';
  title: string;
  isInstalled(): boolean;
  /** Serves the GGUF file, or what lies beside it. */
  open(gguf: string): Promise<OpenedServer>;
}>;

/** How a server is started and asked about itself. */
type ServerFacts = Readonly<{
  service: RealServer['service'];
  title: string;
  serverType: ServerType;
  model(gguf: string): string;
  version(ask: Ask): Promise<string>;
  countRunning(ask: Ask): Promise<number>;
}>;

/** The text at a path of the server. */
type Ask = (path: string) => Promise<string>;

/** The real servers that tests and proofs play on, each where it is installed. */
export const realServers: readonly RealServer[] = [
  realServer({
    service: 'llama-server',
    title: "llama.cpp's server",
    serverType: 'llama_cpp',
    model: (gguf) => gguf,
    version: async () => runScript('llama-server', 'version').trim(),
    async countRunning(ask) {
      const slots: readonly Readonly<{ is_processing: boolean }>[] = JSON.parse(
        await ask('/slots'),
      );
      return slots.filter((slot) => slot.is_processing).length;
    },
  }),
  realServer({
    service: 'vllm',
    title: 'vLLM',
    serverType: 'vllm',
    model: dirname,
    version: async (ask) => JSON.parse(await ask('/version')).version,
    async countRunning(ask) {
      const [, count] =
        /^vllm:num_requests_running\{.*\} (\S+)$/m.exec(await ask('/metrics')) ?? [];
      return Number(count);
    },
  }),
  realServer({
    service: 'sglang',
    title: 'SGLang',
    serverType: 'sglang',
    model: dirname,
    version: async (ask) => JSON.parse(await ask('/server_info')).version,
    countRunning: async (ask) =>
      JSON.parse(await ask('/v1/loads?include=core')).loads[0].num_running_reqs,
  }),
];

function realServer({ service, title, serverType, model, ...facts }: ServerFacts): RealServer {
  return {
    service,
    title,
    isInstalled: () => isInstalled(service),
    async open(gguf) {
      const server = await serve(service, model(gguf));
      const ask: Ask = async (path) => (await fetch(server.baseUrl + path)).text();
      try {
        const { engine } = await openTokenEngine({ baseUrl: server.baseUrl, serverType });
        const close = async (): Promise<void> => {
          await engine.close?.();
          await server.close();
        };
        const version = await facts.version(ask);
        return { engine, version, countRunning: () => facts.countRunning(ask), close };
      } catch (error) {
        await server.close();
        throw error;
      }
    },
  };
}
