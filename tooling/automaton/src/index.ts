export { type AutomatonFiles, buildAutomaton } from './build-automaton.ts';
export {
  type AutomatonScript,
  type Choice,
  callText,
  defaultScript,
} from './script.ts';
export { writeAutomaton } from './write-automaton.ts';
