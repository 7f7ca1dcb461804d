/** `automaton DIRECTORY [CHANCE]`: writes the model folder of the default script, which calls again after a tool result with that chance. */

import { defaultScript } from './script.ts';
import { writeAutomaton } from './write-automaton.ts';

const [directory, chance = '0'] = process.argv.slice(2);
const callAgain = Number(chance);
if (directory === undefined || !(callAgain >= 0 && callAgain <= 1)) {
  process.stderr.write('usage: automaton DIRECTORY [CHANCE TO CALL AGAIN, 0 to 1]\n');
  process.exit(2);
}
const { gguf } = await writeAutomaton(directory, { ...defaultScript, callAgain });
process.stdout.write(`${gguf}\n`);
