import type { TrainerStatus } from '@hermes/protocol';
import { planGroup, playGroup } from '../_play-group.ts';
import { slimRecord } from '../_slim-record.ts';
import { groupsWanted } from './_groups-wanted.ts';
import type { Drawn } from './_item-source.ts';
import type { Shift } from './_shift-state.ts';

/** Starts as many groups as the trainer can take and places allow; returns how many. They ring the bell when they end. */
export async function startGroups<Data>(
  shift: Shift<Data>,
  status: TrainerStatus,
): Promise<number> {
  const { options, evaluations, info, course, run } = shift;
  const { group: rules, scheduler } = options;
  const places = Math.ceil((scheduler?.rollouts ?? 4) / rules.size);
  const limit = evaluations.limit(rules.workers ?? places);
  const wanted = groupsWanted({ rules, batchSize: info.batchSize, status, limit });
  const allowed = course.isInVain() ? Math.min(wanted, 1) : wanted;
  let started = 0;
  while (shift.playing.size + shift.played.length < allowed && !run.signal.aborted) {
    startGroup(shift, await shift.source.next());
    started += 1;
  }
  return started;
}

function startGroup<Data>(shift: Shift<Data>, { item, at }: Drawn<Data>): void {
  const { run, options, mark, log, known, playing, played, records, bell } = shift;
  mark.begin(at);
  if (log?.ended().has(at.group)) {
    mark.end(at);
    return;
  }
  const { clock } = run.context.effects;
  const { size } = options.group;
  const place = { index: at.group, firstAttempt: at.epoch * size, size };
  const plan = planGroup(options, run.context.runId, item, place);
  const sinceMs = clock.now().monoMs;
  const play = async () => {
    const end = await playGroup(run, plan, known);
    const fresh = end.records.filter((record) => !known.has(record.trialKey));
    const isOld = fresh.length === 0;
    records.push(...fresh.map(slimRecord));
    const durationMs = clock.now().monoMs - sinceMs;
    if (end.kind !== 'cancelled') played.push({ plan, at, end, durationMs, isOld });
    playing.delete(one);
    bell.ring();
  };
  const one = play();
  playing.add(one);
}
