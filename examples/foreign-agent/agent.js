/** An agent that nobody wrote for training: a loop over OpenAI's API, with one tool. */
import OpenAI from 'openai';

const PRICES = { pen: 120, folder: 250, stapler: 890 };
const MOST_TURNS = 10;

const tools = [
  {
    type: 'function',
    function: {
      name: 'look_up_price',
      description: 'The price of one article, in cents.',
      parameters: {
        type: 'object',
        properties: { article: { type: 'string' } },
        required: ['article'],
      },
    },
  },
];

const client = new OpenAI(); // where to, and the key, stand in OPENAI_BASE_URL and OPENAI_API_KEY
const messages = [{ role: 'user', content: process.argv[2] }];
let turns = 0;
let answer = null;
while (answer === null && turns < MOST_TURNS) {
  const { choices } = await client.chat.completions.create({ model: 'any', messages, tools });
  const [{ message }] = choices;
  turns += 1;
  messages.push(message);
  for (const call of message.tool_calls ?? [])
    messages.push({ role: 'tool', tool_call_id: call.id, content: lookUp(call.function) });
  if (!message.tool_calls) answer = message.content;
}
process.stdout.write(`${JSON.stringify({ turns, answer })}\n`);

function lookUp({ arguments: text }) {
  const price = PRICES[JSON.parse(text).article];
  return JSON.stringify(price === undefined ? { error: 'no such article' } : { price });
}
