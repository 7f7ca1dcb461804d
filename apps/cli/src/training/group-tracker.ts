import type { RunEvent } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import { printable } from '../display/format.ts';

type GroupEnd = Extract<RunEvent, { type: 'group_end' }>;

/** What a display knows of a group that has just ended; empty for members that an earlier process has played. */
type Members = Readonly<{ itemId: string | null; rewards: readonly number[] }>;

const NOBODY: Members = { itemId: null, rewards: [] };

/** Follows the groups of a run. One object per run. */
export class GroupTracker {
  readonly #members = new Map<string, Members>();
  readonly #ended: Record<GroupEnd['outcome'], number> = {
    written: 0,
    sent: 0,
    skipped: 0,
    refused: 0,
  };
  #step: number | null = null;

  record(record: RolloutRecord): void {
    if (record.groupId === null) return;
    const { rewards } = this.#members.get(record.groupId) ?? NOBODY;
    const own = record.status === 'completed' ? [record.reward.reward] : [];
    const members = { itemId: record.identity.itemId, rewards: [...rewards, ...own] };
    this.#members.set(record.groupId, members);
  }

  run(event: RunEvent): void {
    if (event.type === 'group_end') this.#ended[event.outcome] += 1;
    if (event.type === 'trainer' && event.step !== null) this.#step = event.step;
  }

  /** One line for a group that has ended; it is forgotten then. */
  describe({ groupId, outcome, reason }: GroupEnd): string {
    const { itemId, rewards } = this.#members.get(groupId) ?? NOBODY;
    this.#members.delete(groupId);
    const name = printable(itemId ?? groupId);
    const why = reason === null ? '' : ` ${reason}`;
    const shown = rewards.length === 0 ? '' : ` (rewards ${rewards.map(short).join(', ')})`;
    return `${outcome.toUpperCase().padEnd(7)} ${name}${why}${shown}`;
  }

  /** Counts of what has happened at all, as words. */
  counts(): readonly string[] {
    const groups = Object.entries(this.#ended).filter(([, count]) => count > 0);
    const step = this.#step === null ? [] : [`step ${this.#step}`];
    return [...step, ...groups.map(([outcome, count]) => `${outcome} ${count}`)];
  }
}

function short(reward: number): string {
  return String(Number(reward.toFixed(3)));
}
