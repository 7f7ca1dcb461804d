import { expectTypeOf, it } from 'vitest';
import type {
  AssistantMessage,
  ChatModel,
  CompletedRollout,
  Errored,
  ErroredRollout,
  JsonObject,
  Message,
  RolloutEvent,
  RolloutRecord,
  ToolResult,
} from '../src/index.ts';
import { ModelError } from '../src/index.ts';
import type { ScriptedModel, TestEffects } from '../src/testing/index.ts';

it('ties each cause to its own reason', () => {
  type Sandbox = Extract<Errored, { reason: 'sandbox' }>;
  expectTypeOf<Sandbox['cause']>().extract<'model_auth'>().toBeNever();
  expectTypeOf<'disk_full'>().toExtend<Sandbox['cause']>();
});

it('gives a score to completed rollouts only', () => {
  expectTypeOf<CompletedRollout>().toHaveProperty('reward');
  expectTypeOf<ErroredRollout>().not.toHaveProperty('reward');
  expectTypeOf<Extract<RolloutRecord, { status: 'errored' }>>().toHaveProperty('errored');
});

it('demands an error of every tool result that is not completed', () => {
  expectTypeOf<
    Extract<ToolResult, { status: 'timeout' | 'failed' | 'cancelled' }>
  >().toHaveProperty('error');
  expectTypeOf<Extract<ToolResult, { status: 'completed' }>>().not.toHaveProperty('error');
});

it('tells messages apart by their role', () => {
  expectTypeOf<Extract<Message, { role: 'assistant' }>>().toEqualTypeOf<AssistantMessage>();
});

it('keeps the stamp on every event', () => {
  type ToolEnd = Extract<RolloutEvent, { type: 'tool_end' }>;
  expectTypeOf<ToolEnd['seq']>().toBeNumber();
  expectTypeOf<ToolEnd['result']>().toEqualTypeOf<ToolResult>();
});

it('accepts a message where JSON is asked for', () => {
  expectTypeOf<Message>().toExtend<JsonObject>();
});

it('narrows the codes of model errors', () => {
  expectTypeOf(new ModelError('AUTH', 'x').code).toExtend<string>();
  // @ts-expect-error no such code
  expectTypeOf(new ModelError('NOPE', 'x')).toBeObject();
});

it('plays a scripted model wherever a model goes', () => {
  expectTypeOf<ScriptedModel>().toExtend<ChatModel>();
  expectTypeOf<TestEffects['clock']['advance']>().toBeFunction();
});
