import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { priceToolset } from './price-toolset.js';

const ORDERS = fileURLToPath(new URL('./orders.jsonl', import.meta.url));

/** Questions for the total of an order; the prices are behind a tool. */
export const shop = {
  id: 'shop',
  version: '1.0.0',
  description: 'Totals of orders, with a price list behind a tool.',
  // own keys of section env: `orders`, `eval_size`
  config: z.strictObject({
    orders: z.string().default(ORDERS),
    evalSize: z.int().min(1).default(5),
  }),
  places: ['orders'],
  // config_init()
  defaults: {
    env: { group_size: 4, max_agent_turns: 6, system_prompt: 'You work in a stationery shop.' },
  },
  // setup()
  async open({ orders, evalSize }) {
    const text = await readFile(orders, 'utf8');
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const revision = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    return createShop(revision, { eval: rows.slice(0, evalSize), train: rows.slice(evalSize) });
  },
};

function createShop(datasetRevision, rows) {
  return {
    datasetRevision,
    toolsets: [priceToolset()],
    // get_next_item(): those to train on, and those to evaluate on
    async *items({ split, start }) {
      for (const row of rows[split].slice(start)) yield { id: row.id, data: row };
    },
    // format_prompt()
    prompt: ({ data }) => [{ role: 'user', content: data.question }],
    // compute_reward()
    computeReward: async ({ data }, result) => {
      if (lastNumber(result.messages) === data.total) return 1;
      return result.toolCalls.ok > 0 ? 0.2 : 0;
    },
    // evaluate() is the command's work; what it counted beside the reward is told here
    aggregate: (records) => ({ partial_rate: shareOf(records, 0.2) }),
    // not in the original: how the item is solved, so that `--model oracle` proves the reward
    solution: async ({ data }) => ({
      turns: [
        {
          content: '',
          calls: Object.keys(data.amounts).map((article) => ({
            name: 'look_up_price',
            arguments: { article },
          })),
        },
        { content: `That is ${data.total} cents.`, calls: [] },
      ],
    }),
  };
}

function lastNumber(messages) {
  const last = messages.at(-1);
  const numbers = last?.role === 'assistant' ? String(last.content).match(/\d+/g) : null;
  return numbers === null ? null : Number(numbers.at(-1));
}

function shareOf(records, reward) {
  const completed = records.filter(({ status }) => status === 'completed');
  const such = completed.filter((record) => record.reward.reward === reward);
  return completed.length === 0 ? 0 : such.length / completed.length;
}
