/**
 * A whole trainer that knows nothing of hermes but its parsers: a policy over raw answers, rollouts with a tool, rewards,
 * and REINFORCE. The policy learns to write a call that is complete and right.
 */
import { getParser } from '@hermes/parsers';

const parser = getParser('qwen');
const tools = [
  {
    type: 'function',
    function: { name: 'add', parameters: { properties: { a: {}, b: {} }, required: ['a', 'b'] } },
  },
];

/** What the policy may write, token by token; what it prefers is learnt. */
const answers = [
  'The sum is 5, I am sure.',
  '<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 3',
  '<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 2}}\n</tool_call>',
  '<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 3}}\n</tool_call> and then it goes on',
];

export function train({ steps, random, rate = 0.5 }) {
  const logits = answers.map(() => 0);
  const history = [];
  for (let step = 0; step < steps; step += 1) {
    const probabilities = softmax(logits);
    const choice = draw(probabilities, random());
    const { reward, ...rollout } = rollOut(tokensOf(answers[choice]));
    const baseline = history.length === 0 ? 0 : mean(history.map((entry) => entry.reward));
    for (const [index, probability] of probabilities.entries()) {
      const gradient = (index === choice ? 1 : 0) - probability;
      logits[index] += rate * (reward - baseline) * gradient;
    }
    history.push({ reward, ...rollout });
  }
  return { probabilities: softmax(logits), history };
}

/** One answer: generation stops at the first complete call, the tool runs, the result decides the reward. */
function rollOut(tokens) {
  const stream = parser.stream({ tools });
  let used = 0;
  for (const token of tokens) {
    used += 1;
    if (stream.push(token).some((event) => event.type === 'call_end')) break;
  }
  const { content, toolCalls, diagnostics } = stream.finish().result;
  const messages = [{ role: 'assistant', content, tool_calls: toolCalls }];
  for (const call of toolCalls)
    messages.push({ role: 'tool', tool_call_id: call.id, content: String(runTool(call)) });
  const isRight = messages.some(({ role, content: text }) => role === 'tool' && text === '5');
  const isBroken = diagnostics.some(({ level }) => level === 'error');
  return { messages, used, reward: isRight ? 1 : isBroken ? -0.5 : 0 };
}

function runTool({ function: { arguments: text } }) {
  const { a, b } = JSON.parse(text);
  return a + b;
}

/** As tokenizers do it: the tags are tokens of their own. */
function tokensOf(text) {
  return text.match(/<\/?tool_call>|.{1,4}/gs);
}

function softmax(logits) {
  const powers = logits.map((logit) => Math.exp(logit));
  const sum = powers.reduce((one, other) => one + other);
  return powers.map((power) => power / sum);
}

function draw(probabilities, share) {
  let sum = 0;
  for (const [index, probability] of probabilities.entries()) {
    sum += probability;
    if (share < sum) return index;
  }
  return probabilities.length - 1;
}

function mean(values) {
  return values.reduce((one, other) => one + other) / values.length;
}
