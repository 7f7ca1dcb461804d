import { createNoise } from './noise.ts';
import { type AutomatonScript, logChances } from './script.ts';
import { place, shape } from './shape.ts';
import { filled, setAt, type Tensor } from './tensor.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What one place of the hidden state becomes by the norm: the token and the `one` are all of its length. */
const NORMED = Math.sqrt(shape.hidden / 2);
/** How much of a share goes into the hidden state: little, so that the norm stays the same. */
const SHARE = 0.1;
/** The same for a flag. */
const FLAG = 0.01;
/** A logit of this size decides against everything below it. */
const DECIDES = 60;
/** What stands after certain tokens decides against all flags. */
const FOLLOWS = 500;
const NEVER = -20;

/** The weights of an automaton, by the names that Qwen2 gives them. */
export function makeWeights(script: AutomatonScript, vocabulary: Vocabulary): Map<string, Tensor> {
  if (vocabulary.tokens.length > place.tokens)
    throw new Error(`an automaton has room for ${place.tokens} tokens`);
  const layer = 'model.layers.0';
  return new Map([
    ['lm_head.weight', makeHead(script, vocabulary)],
    ['model.embed_tokens.weight', embedTokens(vocabulary)],
    [`${layer}.input_layernorm.weight`, filled([shape.hidden], 1)],
    ...findShares(vocabulary).map(
      ([name, tensor]) => [`${layer}.self_attn.${name}`, tensor] as const,
    ),
    [`${layer}.post_attention_layernorm.weight`, filled([shape.hidden], 1)],
    ...raiseFlags().map(([name, tensor]) => [`${layer}.mlp.${name}`, tensor] as const),
    ['model.norm.weight', filled([shape.hidden], 1)],
  ]);
}

function embedTokens({ rows, tokens }: Vocabulary): Tensor {
  const embedding = filled([rows, shape.hidden]);
  for (const id of tokens.keys()) {
    setAt(embedding, id, id, 1);
    setAt(embedding, id, place.one, 1);
  }
  return embedding;
}

/** Attention: without queries and keys it looks at all places alike, so a head tells the share of a token. */
function findShares(vocabulary: Vocabulary): (readonly [string, Tensor])[] {
  const { hidden } = shape;
  const keyValue = shape.keyValueHeads * shape.headSize;
  const value = filled([keyValue, hidden]);
  const output = filled([hidden, hidden]);
  setAt(value, 0, vocabulary.idOf('<tools>'), 1 / NORMED);
  setAt(value, 1, vocabulary.idOf('<tool_response>'), 1 / NORMED);
  setAt(output, place.sawTools, 0, SHARE);
  setAt(output, place.sawResult, 1, SHARE);
  return [
    ['k_proj.bias', filled([keyValue])],
    ['k_proj.weight', filled([keyValue, hidden])],
    ['o_proj.weight', output],
    ['q_proj.bias', filled([hidden])],
    ['q_proj.weight', filled([hidden, hidden])],
    ['v_proj.bias', filled([keyValue])],
    ['v_proj.weight', value],
  ];
}

/**
 * The feed-forward part: two units make a step of a share. Each bends upwards where the share passes
 * half a token of the longest context, the second one `width` later; their difference is 0 before
 * and 1 after.
 */
function raiseFlags(): (readonly [string, Tensor])[] {
  const { hidden, intermediate } = shape;
  const gate = filled([intermediate, hidden]);
  const up = filled([intermediate, hidden]);
  const down = filled([hidden, intermediate]);
  const threshold = (SHARE * 0.5) / shape.context;
  const width = 16;
  // Steep enough that both units are far from their bend on either side.
  const steepness = (width + 24) / (threshold * NORMED);
  const steps = [
    { share: place.sawTools, flag: place.mustCall },
    { share: place.sawResult, flag: place.hasResult },
  ];
  for (const [index, { share, flag }] of steps.entries())
    for (const [side, sign] of [1, -1].entries()) {
      const unit = index * 2 + side;
      setAt(gate, unit, share, steepness);
      // The tag of the tools comes twice in a prompt: one result outweighs it.
      if (flag === place.mustCall) setAt(gate, unit, place.sawResult, -8 * steepness);
      setAt(gate, unit, place.one, -steepness * threshold - (side * width) / NORMED);
      setAt(up, unit, place.one, 1 / NORMED);
      setAt(down, flag, unit, (sign * FLAG) / width);
    }
  return [
    ['down_proj.weight', down],
    ['gate_proj.weight', gate],
    ['up_proj.weight', up],
  ];
}

/** The head: a row for each token that says when it comes. Logits are in units of the normed state. */
function makeHead(script: AutomatonScript, vocabulary: Vocabulary): Tensor {
  const head = filled([vocabulary.rows, shape.hidden]);
  const set = (token: number, cause: number, logit: number, size = 1): void =>
    setAt(head, token, cause, logit / (NORMED * size));
  writeRandomText(vocabulary, set);
  decideByFlags(script, vocabulary, (token, flag, logit) => set(token, flag, logit, FLAG));
  const follow = (before: string, after: string, logChance = 0): void =>
    set(vocabulary.idOf(after), vocabulary.idOf(before), FOLLOWS + logChance);
  const chances = logChances(script.calls);
  for (const [index, { text }] of script.calls.entries()) {
    follow('<tool_call>', text, chances[index]);
    follow(text, '</tool_call>');
  }
  for (const before of ['</tool_call>', ...script.answers.map(({ text }) => text)])
    follow(before, '<|im_end|>');
  return head;
}

type SetLogit = (token: number, cause: number, logit: number) => void;

function writeRandomText({ rows, tokens, added, special, idOf }: Vocabulary, set: SetLogit): void {
  const noise = createNoise(0);
  const quiet = new Set<string>([...special, ...added]);
  for (let id = 0; id < rows; id += 1) {
    const token = tokens[id];
    if (token === undefined) set(id, place.one, NEVER * DECIDES);
    else if (quiet.has(token)) set(id, place.one, NEVER);
    else for (const before of tokens.keys()) set(id, before, 1.5 * noise());
  }
  // Likely enough that a text ends some time.
  set(idOf('<|im_end|>'), place.one, 2);
  for (const tag of ['<think>', '</think>']) set(idOf(tag), place.one, 0);
}

function decideByFlags(script: AutomatonScript, { idOf }: Vocabulary, set: SetLogit): void {
  const again = script.callAgain ?? 0;
  const chances = logChances(script.answers);
  set(idOf('<tool_call>'), place.mustCall, DECIDES);
  // One flag for both sides of a decision: however exact its value, they differ by their chances alone.
  if (again > 0) set(idOf('<tool_call>'), place.hasResult, DECIDES + Math.log(again));
  if (again < 1)
    for (const [index, { text }] of script.answers.entries())
      set(idOf(text), place.hasResult, DECIDES + Math.log(1 - again) + (chances[index] ?? 0));
}
