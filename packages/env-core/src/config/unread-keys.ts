import { type Theme, theme, unread } from './_fields.ts';
import { choice, flag, integer, nullable, text } from './_kinds.ts';
import { list, object } from './_structures.ts';

/** Section `env`: keys of older configurations that are accepted, checked, and have no effect. */
export const unreadKeys: Theme<object> = theme(
  {
    thinking_mode: unread(flag(), false, 'reasoning before the answer'),
    reasoning_effort: unread(
      nullable(choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh')),
      null,
      'how much the model thinks',
    ),
    max_reasoning_tokens: unread(
      nullable(integer(1)),
      null,
      'tokens of reasoning, from 1024 to 32000',
    ),
    custom_thinking_prompt: unread(
      nullable(text('Think first.')),
      null,
      'how the model is asked to think',
    ),
    teacher_enabled: unread(flag(), false, 'distillation of a teacher: the trainer does that'),
    teacher_top_k: unread(integer(-1), 0, 'log-probs of the teacher a position'),
    modal_secrets: unread(nullable(list()), null, 'secrets of Modal that its containers get'),
    modal_env_vars: unread(
      nullable(object('{ NAME: value }')),
      null,
      'variables of its containers',
    ),
  },
  () => ({}),
);
