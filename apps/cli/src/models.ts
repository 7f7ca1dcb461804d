import type { OpenModel, PriceTable, ServerSettings } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';

/** A model as a run uses it. */
export interface ChosenModel {
  readonly provider: string;
  readonly modelId: string;
  readonly open: OpenModel;
  /** Asks before anything is started whether it can be used; throws a HermesError that says what to do. */
  preflight?(signal: AbortSignal): Promise<void>;
  /** Fires when the endpoint refuses the first call in a way that it would refuse every call; its reason is the error that ends the run. */
  readonly refused?: AbortSignal;
  readonly prices?: PriceTable;
  /** How many calls may be under way at once. */
  readonly modelCalls?: number;
  /** It is asked in tokens: it reads calls itself, and there is no body that `extra_body` could be put into. */
  readonly isTokenModel?: boolean;
  /** How the calls of each server went so far, under the names of dashboards: `server/server_0_request_time_avg`. */
  readonly stats?: () => Readonly<Record<string, number>>;
  /** Called when the run is over. */
  close?(): Promise<void>;
}

/** What a model may be made from. */
export interface ModelRequest {
  /** Section `openai` of the configuration; at least one. */
  readonly servers: readonly ServerSettings[];
  /** Nothing but tokens is of use: a model without is refused. */
  readonly needsTokens: boolean;
  /** `tool_call_parser` of section `env`; null = not said. */
  readonly toolCallParser: string | null;
  /** `tokenizer_name` of section `env`; null = not said. */
  readonly tokenizerName: string | null;
  /** Where relative paths begin. */
  readonly workingDirectory: string;
  readonly environmentVariables: Readonly<Record<string, string | undefined>>;
  readonly effects: Effects;
  /** Ends the opening. */
  readonly signal: AbortSignal;
  /** Tells the user something that is no error. */
  note(text: string): void;
}

/** One kind of model that `--model` can name: `NAME`, or `NAME:REST` where it takes a rest. */
export interface ModelEntry {
  readonly name: string;
  readonly description: string;
  /** It runs only what the task's own author wrote, so it may run without isolation. */
  readonly isTrusted: boolean;
  /** false: nothing that it plays can be trained on. Absent: each rollout tells. */
  readonly givesTokens?: boolean;
  choose(rest: string | null, request: ModelRequest): Promise<ChosenModel>;
}

export const builtinModels: readonly ModelEntry[] = [
  {
    name: 'oracle',
    description:
      "plays each task's own solution: 100 % shows that tasks, sandbox and verifiers work here",
    isTrusted: true,
    givesTokens: false,
    async choose() {
      const { openOracle } = await import('@hermes/env-core');
      return { provider: 'oracle', modelId: 'oracle', open: openOracle };
    },
  },
  {
    name: 'noop',
    description: 'answers at once and does nothing: 0 % shows that no task passes by itself',
    isTrusted: true,
    givesTokens: false,
    async choose() {
      const { openNoop } = await import('@hermes/env-core');
      return { provider: 'noop', modelId: 'noop', open: openNoop };
    },
  },
  {
    name: 'openai',
    description:
      'openai:NAME, a model on a server; --base-url says where, --server-type what it is (default: an OpenAI-compatible endpoint)',
    isTrusted: false,
    async choose(rest, request) {
      if (asksForTokens(request)) {
        const { chooseServedModel } = await import('./engines/choose-served-model.ts');
        return chooseServedModel(rest, request);
      }
      const { chooseOpenAiModel } = await import('./openai/choose-openai-model.ts');
      return chooseOpenAiModel(rest, request);
    },
  },
  {
    name: 'llama',
    description: 'llama:FILE.gguf, a model in this process whose rollouts can be trained on',
    isTrusted: false,
    async choose(rest, request) {
      const { chooseLlamaModel } = await import('./engines/choose-llama-model.ts');
      return chooseLlamaModel(rest, request);
    },
  },
];

/** A server is asked in tokens where nothing else is of use, and where somebody has said which engine it is. */
function asksForTokens({ needsTokens, servers }: ModelRequest): boolean {
  return needsTokens || servers.some(({ serverType }) => serverType !== 'openai');
}
