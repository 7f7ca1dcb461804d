import type { ConformanceCase } from '../conformance-case.ts';
import { backgroundCases } from './background.ts';
import { cancelCases } from './cancel.ts';
import { concurrencyCases } from './concurrency.ts';
import { execCases } from './exec.ts';
import { execContextCases } from './exec-context.ts';
import { fileOperationCases } from './file-operations.ts';
import { fileCases } from './files.ts';
import { interactionCases } from './interaction.ts';
import { lifecycleCases } from './lifecycle.ts';
import { lifetimeCases } from './lifetime.ts';
import { limitCases } from './limits.ts';
import { outputCases } from './output.ts';
import { portCases } from './ports.ts';
import { sessionCases } from './sessions.ts';
import { sizeCases } from './sizes.ts';
import { specPolicyCases } from './spec-policies.ts';
import { stdinCases } from './stdin.ts';
import { textCases } from './text.ts';
import { timeoutCases } from './timeout.ts';
import { treeCases } from './trees.ts';
import { usageCases } from './usage.ts';

/** The whole kit as data, in the order it runs. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...fileCases,
  ...fileOperationCases,
  ...treeCases,
  ...sizeCases,
  ...execCases,
  ...execContextCases,
  ...stdinCases,
  ...textCases,
  ...outputCases,
  ...timeoutCases,
  ...cancelCases,
  ...backgroundCases,
  ...interactionCases,
  ...sessionCases,
  ...concurrencyCases,
  ...limitCases,
  ...lifecycleCases,
  ...lifetimeCases,
  ...specPolicyCases,
  ...portCases,
  ...usageCases,
];
