/** What the shop sells, in cents. The model sees it only through the tool. */
const PRICES = { pen: 120, folder: 250, stapler: 890, notebook: 340, ruler: 95, eraser: 60 };

/** The toolset `prices` with its one tool. A tool that works in the sandbox would get it from the first argument of `open`. */
export function priceToolset() {
  return {
    name: 'prices',
    toolNames: ['look_up_price'],
    open: async () => ({ tools: [lookUpPrice] }),
  };
}

const lookUpPrice = {
  schema: {
    type: 'function',
    function: {
      name: 'look_up_price',
      description: 'The price of one article, in cents.',
      parameters: {
        type: 'object',
        properties: { article: { type: 'string', description: 'In the singular, such as pen' } },
        required: ['article'],
      },
    },
  },
  parallel: true, // it only reads
  async execute({ article }) {
    const price = Object.hasOwn(PRICES, article) ? PRICES[article] : null;
    if (price !== null) return { status: 'completed', content: JSON.stringify({ price }) };
    const message = `There is no ${article}; there is ${Object.keys(PRICES).join(', ')}`;
    const error = { boundary: 'tool', code: 'NOT_FOUND', message, retryable: false };
    return { status: 'failed', content: JSON.stringify({ error: message }), error };
  },
};
