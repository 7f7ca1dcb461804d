import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAutomaton } from '@hermes/automaton';
import { openLlamaEngine } from '@hermes/model-llama';
import { type RealServer, realServers, rolloutScript } from '@hermes/real-engines';
import { getModuleVersion } from 'node-llama-cpp';
import type { Counts, Proof, ProofOptions } from '../proof.ts';
import { checkAbortFreesSequence } from './engines/abort-frees-sequence.ts';
import { checkAbortFreesSlot } from './engines/abort-frees-slot.ts';
import { measureEngine } from './engines/measure-engine.ts';
import { endlessPrompt, type Referee } from './engines/referee.ts';

export const engines: Proof = {
  name: 'engines',
  claim:
    'Rollouts with tools, and a foreign agent behind the gateway, on real engines. Every segment holds the ids that the engine reports as its prompt and its output, and no others; ' +
    'a forced pass over the recorded ids gives their log-probs within 1e-3; what was sampled is trained on and nothing else; an abort frees the place of its generation in the engine.',
  fullCount: 50,
  shareCount: 4,
  async run(options: ProofOptions) {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-engines-'));
    try {
      const { gguf } = await writeAutomaton(folder, rolloutScript);
      const referee = await openLlamaEngine({ path: gguf, threads: 1, contextTokens: 2048 });
      try {
        return await measureAll(gguf, referee, options);
      } finally {
        await referee.engine.close?.();
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** One after the other: together they would not fit into the memory of a small machine. */
async function measureAll(gguf: string, referee: Referee, options: ProofOptions) {
  const sections: Record<string, Counts> = {};
  sections['In process'] = {
    version: `node-llama-cpp ${await getModuleVersion()}`,
    ...(await measureEngine(referee.engine, referee, options)),
    ...(await checkAbortFreesSequence(gguf)),
  };
  options.say('in process: done');
  for (const server of realServers.filter((one) => isWanted(one, options))) {
    sections[server.title] = await measureServer(server, gguf, referee, options);
    options.say(`${server.title}: done`);
  }
  return sections;
}

/** vLLM and SGLang take minutes to start. */
function isWanted(server: RealServer, { isShare }: ProofOptions): boolean {
  return (!isShare || server.service === 'llama-server') && server.isInstalled();
}

async function measureServer(
  server: RealServer,
  gguf: string,
  referee: Referee,
  options: ProofOptions,
): Promise<Counts> {
  const opened = await server.open(gguf);
  try {
    return {
      version: opened.version,
      ...(await measureEngine(opened.engine, referee, options)),
      ...(await checkAbortFreesSlot(opened, endlessPrompt(referee))),
    };
  } finally {
    await opened.close();
  }
}
