/**
 * Who may import whom: the one table of the house. A package that is not listed fails the check, so a new package starts with a line here.
 * `hermes`: the siblings that `src` may import. `vendors`: the third-party packages of `dependencies` and `peerDependencies`.
 */
export const arrows = {
  // spec: the nouns and the interfaces
  '@hermes/protocol': { layer: 'spec', hermes: [], vendors: [] },
  '@hermes/parsers': { layer: 'spec', hermes: [], vendors: ['vitest'] },
  '@hermes/sandbox': { layer: 'spec', hermes: ['@hermes/protocol'], vendors: ['vitest'] },
  // service: spec alone
  '@hermes/model-openai': {
    layer: 'service',
    hermes: ['@hermes/protocol'],
    vendors: ['openai', 'undici'],
  },
  '@hermes/model-pool': { layer: 'service', hermes: ['@hermes/protocol'], vendors: [] },
  '@hermes/managed-server': {
    layer: 'service',
    hermes: ['@hermes/protocol', '@hermes/parsers'],
    vendors: ['undici', 'zod'],
  },
  '@hermes/tokenizer': { layer: 'service', hermes: ['@hermes/protocol'], vendors: [] },
  '@hermes/tracking': { layer: 'service', hermes: ['@hermes/protocol'], vendors: [] },
  '@hermes/model-llama': {
    layer: 'service',
    hermes: ['@hermes/protocol', '@hermes/tokenizer'],
    vendors: ['node-llama-cpp'],
  },
  '@hermes/datasets': {
    layer: 'service',
    hermes: ['@hermes/protocol'],
    vendors: ['@huggingface/hub', 'hyparquet', 'hyparquet-compressors', 'csv-parse', 'zod'],
  },
  '@hermes/atropos': { layer: 'service', hermes: ['@hermes/protocol'], vendors: ['zod'] },
  '@hermes/gateway': { layer: 'service', hermes: ['@hermes/protocol'], vendors: ['zod'] },
  '@hermes/sandbox-server': {
    layer: 'service',
    hermes: ['@hermes/protocol', '@hermes/sandbox'],
    vendors: ['@xterm/headless', 'zod'],
  },
  // provider: the sandbox interface and its own vendor library, never an engine, never another provider
  '@hermes/sandbox-local': {
    layer: 'provider',
    hermes: ['@hermes/protocol', '@hermes/sandbox'],
    vendors: ['zod'],
  },
  '@hermes/sandbox-docker': {
    layer: 'provider',
    hermes: ['@hermes/protocol', '@hermes/sandbox'],
    vendors: ['@balena/dockerignore', 'dockerode', 'tar-fs', 'zod'],
  },
  '@hermes/sandbox-ssh': {
    layer: 'provider',
    hermes: ['@hermes/protocol', '@hermes/sandbox'],
    vendors: ['ssh2', 'zod'],
  },
  '@hermes/sandbox-slot-pool': {
    layer: 'provider',
    hermes: ['@hermes/protocol', '@hermes/sandbox'],
    vendors: ['zod'],
  },
  // engine: services and providers arrive as arguments
  '@hermes/agent-loop': { layer: 'engine', hermes: ['@hermes/protocol'], vendors: [] },
  '@hermes/tools': {
    layer: 'engine',
    hermes: ['@hermes/protocol', '@hermes/sandbox'],
    vendors: ['zod'],
  },
  '@hermes/env-core': {
    layer: 'engine',
    hermes: ['@hermes/protocol', '@hermes/sandbox', '@hermes/agent-loop', '@hermes/tools'],
    vendors: ['yaml', 'zod'],
  },
  '@hermes/task-folders': {
    layer: 'engine',
    hermes: ['@hermes/protocol', '@hermes/sandbox', '@hermes/tools', '@hermes/env-core'],
    vendors: ['smol-toml', 'zod'],
  },
  // app-lib: environments over engine and datasets
  '@hermes/environments': {
    layer: 'app-lib',
    hermes: [
      '@hermes/protocol',
      '@hermes/sandbox',
      '@hermes/agent-loop',
      '@hermes/tools',
      '@hermes/env-core',
      '@hermes/datasets',
    ],
    vendors: ['zod'],
  },
  '@hermes/rollout-server': {
    layer: 'app-lib',
    hermes: ['@hermes/protocol', '@hermes/env-core'],
    vendors: ['ws', 'zod'],
  },
  // apps: the composition roots, the only places where concrete parts are chosen
  '@hermes/cli': { layer: 'app', hermes: '*', vendors: ['commander'] },
};
