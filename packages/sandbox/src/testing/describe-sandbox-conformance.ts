import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxProvider, SandboxSpec } from '../types.ts';
import { claimedCapabilities } from './capability-keys.ts';
import { conformanceCases } from './cases/index.ts';
import type { CaseGroup, ConformanceCase } from './conformance-case.ts';
import { unprovedCapabilities } from './coverage.ts';
import { defaultCaseTimeoutMs, type Kit, openKit } from './open-kit.ts';

export type ConformanceOptions = Readonly<{
  name: string;
  /** Opens the provider under test; the kit closes it. */
  open: () => Promise<SandboxProvider>;
  /** What every sandbox of the kit is created with, an image for example. */
  spec?: Partial<SandboxSpec>;
  /** Deadline of one case; default 120 s, for slow services more. */
  caseTimeoutMs?: number;
}>;

/** The kit's own deadline comes first and says more than the runner's. */
const closingMs = 60_000;

/** Registers the whole conformance kit as vitest suites. No skips: a case that a capability rules out must end in UNSUPPORTED. */
export function describeSandboxConformance(options: ConformanceOptions): void {
  const caseTimeoutMs = options.caseTimeoutMs ?? defaultCaseTimeoutMs;
  const timeout = caseTimeoutMs + closingMs;
  describe(`${options.name} is a conforming sandbox provider`, { timeout }, () => {
    let kit: Kit | null = null;
    const opened = (): Kit => {
      if (kit === null) throw new Error(`the provider ${options.name} did not open`);
      return kit;
    };
    beforeAll(async () => {
      kit = await openKit(options.open, options.spec, caseTimeoutMs);
    }, timeout);
    afterAll(async () => kit?.close(), timeout);
    for (const [group, cases] of groups()) describeGroup(group, cases, opened);
    describeClosing(opened);
  });
}

/** The cases by group, in order of first appearance. */
function groups(): ReadonlyMap<CaseGroup, readonly ConformanceCase[]> {
  const byGroup = new Map<CaseGroup, ConformanceCase[]>();
  for (const one of conformanceCases)
    byGroup.set(one.group, [...(byGroup.get(one.group) ?? []), one]);
  return byGroup;
}

function describeGroup(group: string, cases: readonly ConformanceCase[], opened: () => Kit): void {
  describe(group, () => {
    for (const testCase of cases) it(testCase.name, () => opened().run(testCase));
  });
}

function describeClosing(opened: () => Kit): void {
  describe('kit', () => {
    it('proves every capability that the sandbox claims', async () => {
      const { capabilities } = await opened().context();
      const claimed = claimedCapabilities(capabilities);
      expect(unprovedCapabilities(claimed, capabilities, conformanceCases)).toEqual([]);
    });
    it('leaves no sandbox behind', async () => {
      await opened().disposeShared();
      expect(await opened().leaks()).toEqual([]);
    });
  });
}
