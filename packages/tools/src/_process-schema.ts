import type { ToolSchema } from '@hermes/protocol';

const DESCRIPTION = `Look after the background processes that terminal(background=true) started.
list: all of them. poll: is it running, and the end of its output. log: its output by lines. wait: until it is done, or the timeout is over. kill: end it with everything it started. write: send data to its input as it is. submit: send data and Enter. close: end its input.`;

export const PROCESS_ACTIONS = [
  'list',
  'poll',
  'log',
  'wait',
  'kill',
  'write',
  'submit',
  'close',
] as const;

export const processSchema: ToolSchema = {
  type: 'function',
  function: {
    name: 'process',
    description: DESCRIPTION,
    parameters: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: PROCESS_ACTIONS, description: 'What to do' },
        session_id: {
          type: 'string',
          description: 'The id that terminal gave; needed for everything but list',
        },
        data: { type: 'string', description: 'Text for write and submit' },
        timeout: { type: 'integer', description: 'Seconds to wait at most, for wait', minimum: 1 },
        offset: {
          type: 'integer',
          description: 'First line for log, counted from 0; 0 shows the last lines',
        },
        limit: { type: 'integer', description: 'Lines to show at most, for log', minimum: 1 },
      },
      required: ['action'],
    },
  },
};
