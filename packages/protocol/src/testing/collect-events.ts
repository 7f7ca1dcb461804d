import type { EmitEvent, RolloutEventBody } from '../events.ts';

/** Keeps every event in the order it was emitted. */
export interface EventCollector {
  readonly emit: EmitEvent;
  readonly events: readonly RolloutEventBody[];
  /** The events of one type, in order. */
  ofType<Type extends RolloutEventBody['type']>(
    type: Type,
  ): readonly Extract<RolloutEventBody, { readonly type: Type }>[];
  /** The types alone: what happened, at a glance. */
  types(): readonly RolloutEventBody['type'][];
}

/** A consumer for tests. */
export function collectEvents(): EventCollector {
  const events: RolloutEventBody[] = [];
  return {
    events,
    emit: (body) => {
      events.push(body);
    },
    ofType: (type) => events.filter((event) => isOfType(event, type)),
    types: () => events.map((event) => event.type),
  };
}

function isOfType<Type extends RolloutEventBody['type']>(
  event: RolloutEventBody,
  type: Type,
): event is Extract<RolloutEventBody, { readonly type: Type }> {
  return event.type === type;
}
