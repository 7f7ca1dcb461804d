import type { JsonObject, Message, RenderRequest, ToolSchema } from '@hermes/protocol';

const WEATHER: ToolSchema = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a "city" <now> & later, in °C',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city' },
        days: { type: 'integer', default: 3, minimum: 1 },
        units: { type: 'string', enum: ['metric', 'imperial'] },
        where: {
          type: 'object',
          properties: { lat: { type: 'number' }, lon: { type: ['number', 'null'] } },
        },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
    },
  },
};

const TERMINAL: ToolSchema = {
  type: 'function',
  function: {
    name: 'terminal',
    description: 'Runs a command.\nAnswers with its output.',
    parameters: { type: 'object', properties: { command: { type: 'string' } } },
  },
};

function call(id: string, name: string, args: string) {
  return { id, type: 'function' as const, function: { name, arguments: args } };
}

const SYSTEM: Message = { role: 'system', content: 'You are  careful.\n' };
const USER: Message = { role: 'user', content: 'What is the weather in Zürich? 🌦' };
const THANKS: Message = { role: 'user', content: '  Thanks! And   tomorrow?\n' };
const ANSWER: Message = { role: 'assistant', content: 'It is 18 °C.' };
const THOUGHT: Message = {
  role: 'assistant',
  content: '\n\nIt is 18 °C.',
  reasoning_content: 'The user wants\nthe weather.\n',
};
const INLINE_THOUGHT: Message = {
  role: 'assistant',
  content: '<think>\nShort thought\n</think>\n\nIt is cold.',
};
const CALL: Message = {
  role: 'assistant',
  content: '',
  tool_calls: [
    call(
      'call_1abcdef',
      'get_weather',
      '{"city":"Zürich","days":2,"where":{"lat":47.0,"lon":8.5e0},"tags":["a","b"],"flag":true,"none":null,"big":12345678901234567890}',
    ),
  ],
};
const THOUGHTFUL_CALL: Message = {
  role: 'assistant',
  content: 'Let me look.',
  reasoning_content: 'I should call the tool.',
  tool_calls: [call('call_2abcdef', 'get_weather', '{"city": "Bern"}')],
};
const TWO_CALLS: Message = {
  role: 'assistant',
  content: '',
  tool_calls: [
    call('call_3abcdef', 'get_weather', '{"city":"Bern"}'),
    call('call_4abcdef', 'terminal', '{"command":"echo \\"hi\\" && ls <x>"}'),
  ],
};
const RESULT: Message = {
  role: 'tool',
  tool_call_id: 'call_1abcdef',
  content: '{"temperature": 18.0}',
};
const RESULT_TWO: Message = { role: 'tool', tool_call_id: 'call_2abcdef', content: ' rain \n' };
const RESULT_THREE: Message = { role: 'tool', tool_call_id: 'call_3abcdef', content: 'sun' };
const RESULT_FOUR: Message = { role: 'tool', tool_call_id: 'call_4abcdef', content: 'hi\n' };
const PARTS: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'First part.' },
    { type: 'text', text: ' Second.' },
  ],
};

const CONVERSATIONS: readonly (readonly Message[])[] = [
  [USER],
  [SYSTEM, USER],
  [USER, ANSWER],
  [USER, ANSWER, THANKS],
  [SYSTEM, USER, ANSWER, THANKS, ANSWER],
  [USER, THOUGHT],
  [USER, THOUGHT, THANKS],
  [SYSTEM, USER, INLINE_THOUGHT, THANKS],
  [USER, CALL],
  [USER, CALL, RESULT],
  [SYSTEM, USER, CALL, RESULT, ANSWER],
  [SYSTEM, USER, CALL, RESULT, ANSWER, THANKS],
  [USER, THOUGHTFUL_CALL, RESULT_TWO],
  [USER, THOUGHTFUL_CALL, RESULT_TWO, THOUGHT, THANKS],
  [USER, TWO_CALLS, RESULT_THREE, RESULT_FOUR],
  [SYSTEM, USER, CALL, RESULT, TWO_CALLS, RESULT_THREE, RESULT_FOUR, ANSWER, THANKS],
  [PARTS],
  [SYSTEM, PARTS, ANSWER, USER],
  [{ role: 'developer', content: 'Be brief.' }, USER],
  [SYSTEM, SYSTEM, USER],
  [USER, USER],
  [ANSWER],
  [
    USER,
    { role: 'assistant', content: null, tool_calls: [call('call_1abcdef', 'terminal', '{}')] },
    RESULT,
  ],
];

const SWITCHES: readonly JsonObject[] = [
  {},
  { enable_thinking: false },
  { enable_thinking: true, thinking: true, reasoning_effort: 'high' },
  { thinking: false, date_string: '01 Jan 2026', builtin_tools: ['code_interpreter'] },
];

/** Conversations with and without tools, thinking and generation prompt. */
export function chatCases(): RenderRequest[] {
  return CONVERSATIONS.flatMap((messages) =>
    [undefined, [WEATHER, TERMINAL]].flatMap((tools) =>
      [false, true].flatMap((generationPrompt) =>
        SWITCHES.map((args) => ({
          messages,
          generationPrompt,
          arguments: args,
          ...(tools && { tools }),
        })),
      ),
    ),
  );
}

/** The same for Python, as JSON text: the arguments of calls are objects, written as they were. */
export function pythonCase(request: RenderRequest): string {
  const calls: string[] = [];
  const text = JSON.stringify(
    {
      messages: request.messages,
      tools: request.tools,
      generation_prompt: request.generationPrompt,
      arguments: request.arguments,
    },
    (key, value) => {
      if (key !== 'arguments' || typeof value !== 'string') return value;
      calls.push(value);
      return `@call${calls.length - 1}@`;
    },
  );
  return text.replace(/"@call(\d+)@"/g, (_, index) => calls[Number(index)] ?? '');
}
