import type { JsonObject } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { GivenKeys } from './provider-keys.ts';

/** Where providers of this command get their settings from. further: of the configuration. */
export function givenKeys(
  further: JsonObject,
  dotted: readonly DottedFlag[],
  context: CliContext,
): GivenKeys {
  return {
    further,
    flagged: dotted.map(({ key }) => key),
    variables: context.environmentVariables,
  };
}
