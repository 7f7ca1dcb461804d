import type { ErroredCauses, ErroredReason, RolloutRecord } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';

type Selects = (record: RolloutRecord) => boolean;

/**
 * Which finished trials a resume shall run again, from words: `errored`, a reason (`model`), a cause (`model_timeout`), or `reward<N`. Any of them
 * is enough. Throws a HermesError `config` that names the nearest word and lists all.
 */
export function retrySelection(words: readonly string[]): Selects {
  const selections = words.map(selectionOf);
  return (record) => selections.some((selects) => selects(record));
}

function selectionOf(given: string): Selects {
  const word = SYNONYMS[given] ?? given;
  const bound = REWARD_BELOW.exec(word)?.[1];
  if (bound !== undefined) return isBelow(Number(bound));
  if (word === 'errored') return (record) => record.status === 'errored';
  if (REASONS.includes(word)) return isErrored((errored) => errored.reason === word);
  if (CAUSES.includes(word)) return isErrored((errored) => errored.cause === word);
  throw unknownWord(word);
}

/** What other harnesses call it. */
const SYNONYMS: Readonly<Record<string, string | undefined>> = {
  unscored: 'errored',
  verifier_error: 'verifier',
};

const REWARD_BELOW = /^reward\s*<\s*(-?\d+(?:\.\d+)?)$/;

function isBelow(bound: number): Selects {
  return (record) => record.status === 'completed' && record.reward.reward < bound;
}

function isErrored(
  matches: (errored: Extract<RolloutRecord, { status: 'errored' }>['errored']) => boolean,
): Selects {
  return (record) => record.status === 'errored' && matches(record.errored);
}

/** Every reason with its causes; the type keeps the table complete. */
const CAUSES_OF: { readonly [R in ErroredReason]: Readonly<Record<ErroredCauses[R], true>> } = {
  model: {
    model_auth: true,
    model_rate_limit: true,
    model_unreachable: true,
    model_timeout: true,
    model_bad_request: true,
    model_server: true,
    model_stream_cut: true,
    model_bad_response: true,
    tokens_invalid: true,
    tokens_missing: true,
  },
  sandbox: {
    image_pull: true,
    image_build: true,
    env_start_timeout: true,
    env_network: true,
    sandbox_capacity: true,
    sandbox_quota: true,
    sandbox_auth: true,
    sandbox_unsupported: true,
    sandbox_lost: true,
    sandbox_oom: true,
    disk_full: true,
  },
  verifier: {
    tests_upload: true,
    verifier_setup: true,
    verifier_crashed: true,
    verifier_timeout: true,
    verifier_download: true,
    reward_missing: true,
    reward_empty: true,
    reward_unparsable: true,
    reward_threw: true,
  },
  timeout: { rollout_deadline: true, queue_timeout: true },
  cancelled: { run_cancelled: true, interrupted: true, group_dropped: true },
  environment: {
    item_invalid: true,
    prompt_failed: true,
    setup_failed: true,
    command_missing: true,
    path_unavailable: true,
    solution_missing: true,
    internal: true,
  },
};

const REASONS: readonly string[] = Object.keys(CAUSES_OF);
const CAUSES: readonly string[] = Object.values(CAUSES_OF).flatMap((causes) => Object.keys(causes));

function unknownWord(word: string): HermesError {
  const nearest = nearestName(word, ['errored', ...REASONS, ...CAUSES]);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  const message =
    `unknown word '${word}' in the list of trials to retry.${hint} There is: errored; reward<N, for example reward<1; ` +
    `a reason (${REASONS.join(', ')}); a cause (${CAUSES.toSorted().join(', ')})`;
  return new HermesError('config', 'CONFIG', message);
}
