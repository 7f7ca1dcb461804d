/**
 * Whether tests shall use this service of the machine. `HERMES_TEST_SERVICES` lists the expected ones; `pnpm test` sets it to what is there and
 * names the rest. Unset (vitest by hand): all. An expected service that is missing makes its tests fail; they are never skipped.
 */
export declare function isExpected(
  service:
    | 'atroposlib'
    | 'bubblewrap'
    | 'datasets'
    | 'docker'
    | 'go'
    | 'huggingface_hub'
    | 'llama-server'
    | 'math-verify'
    | 'openenv-core'
    | 'opentelemetry-proto'
    | 'sglang'
    | 'sshd'
    | 'tensorboard'
    | 'transformers'
    | 'vllm'
    | 'wandb',
): boolean;

/** Where the Python packages that serve as referees are: `HERMES_TEST_PYTHON`, else `python3`. */
export declare const pythonCommand: string;
