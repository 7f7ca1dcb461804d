import type { Environment, SandboxNeeds, Verdict } from '@hermes/env-core';
import type { IdMaker } from '@hermes/protocol';
import type { Capabilities } from '@hermes/sandbox';
import { closedNetwork } from '../data/closed-network.ts';
import { finalText } from '../data/final-text.ts';
import type { Problems } from '../data/read-problems.ts';
import { checkSolution, type SolutionLimits } from './check-solution.ts';
import { extractCode } from './extract-code.ts';
import type { CodeProblem } from './read-humaneval-row.ts';

const INSTRUCTION =
  'Complete this Python function. Answer with the whole function in one ```python block.';

/** The environment of read problems: a plain chat; the answer is run in a sandbox of its own. */
export function createHumanevalEnvironment(
  { revision, items }: Problems<CodeProblem>,
  limits: SolutionLimits,
  newId: IdMaker,
): Environment<CodeProblem> {
  return {
    datasetRevision: revision,
    toolsets: [],
    items,
    prompt: ({ data }) => [
      { role: 'user', content: `${INSTRUCTION}\n\n\`\`\`python\n${data.prompt}\n\`\`\`` },
    ],
    sandbox: () => null,
    verifierSandbox: (_item, capabilities) => needsOf(limits, capabilities),
    async computeReward({ data }, result, tools) {
      const code = extractCode(finalText(result), data.entryPoint);
      if (code === null) return scored(false, 'no answer');
      const outcome = await checkSolution(data, code, limits, tools, newId);
      if (outcome.kind !== 'not_checked') return scored(outcome.kind === 'passed', outcome.text);
      return { kind: 'could_not_score', cause: outcome.cause, message: outcome.text };
    },
    solution: async ({ data }) => {
      const code = `\`\`\`python\n${data.prompt}${data.canonicalSolution}\n\`\`\``;
      return { turns: [{ content: code, calls: [] }] };
    },
  };
}

const MIB = 1024 * 1024;
/** Judge, interpreter and supervisor beside the solution. */
const MORE_MIB = 512;

/** What cannot be enforced is named on the record; the solution's own limits hold all the same. */
function needsOf({ memoryMib }: SolutionLimits, capabilities: Capabilities): SandboxNeeds {
  return {
    ...closedNetwork(capabilities),
    commands: ['python3'],
    resources: {
      memoryBytes: (memoryMib + MORE_MIB) * MIB,
      pids: 160,
      enforce: 'best_effort',
    },
  };
}

function scored(isPassed: boolean, why: string): Verdict {
  const reward = isPassed ? 1 : 0;
  const result = isPassed ? 'passed' : `failed: ${why}`;
  return { kind: 'reward', reward, rewards: { reward }, resolved: isPassed, details: { result } };
}
