import type { AgentResult, EmitEvent } from '@hermes/protocol';
import { expectTypeOf, it } from 'vitest';
import {
  type AgentLoopOptions,
  type ContextDecision,
  type ContextPolicy,
  createEmitter,
  middleOut,
  runAgentLoop,
} from '../src/index.ts';

it('takes options and gives a result', () => {
  expectTypeOf(runAgentLoop).parameters.toEqualTypeOf<[AgentLoopOptions]>();
  expectTypeOf(runAgentLoop).returns.resolves.toEqualTypeOf<AgentResult>();
  expectTypeOf(createEmitter).returns.toEqualTypeOf<EmitEvent>();
});

it('needs no more than a prompt, a model, tools, sampling, identity, effects and a listener', () => {
  type Needed = 'messages' | 'model' | 'tools' | 'sampling' | 'identity' | 'effects' | 'emit';
  expectTypeOf<Pick<AgentLoopOptions, Needed>>().toExtend<AgentLoopOptions>();
});

it('gives policies in one shape', () => {
  expectTypeOf(middleOut({ maxTokens: 1 })).toEqualTypeOf<ContextPolicy>();
  // @ts-expect-error a policy needs to know how much is too much
  expectTypeOf(middleOut({ keepFirst: 1 })).toBeObject();
});

it('tells with every replaced history what set it off', () => {
  type Replace = Extract<ContextDecision, { kind: 'replace' }>;
  expectTypeOf<Replace>().toHaveProperty('trigger');
});
