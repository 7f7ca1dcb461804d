"""Rollouts of @hermes/rollout-server in the shapes of verl, SkyRL, TRL and slime. Needs the standard library alone.

HERMES_ROLLOUTS_URL says where the server is, HERMES_ROLLOUTS_TOKEN is its token, HERMES_ROLLOUTS_BODY (JSON) goes into every
request, for example {"environment": "gsm8k", "model": {"base_url": "http://engine:8000/v1"}}.
"""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ITEM_KEYS = ("environment", "item_id", "index", "row", "split", "seed")
SAMPLING_KEYS = ("temperature", "top_p", "top_k", "min_p", "max_tokens", "stop", "repetition_penalty")
MAX_TOKENS = ("max_new_tokens", "max_generate_length", "max_completion_length")  # what trainers call max_tokens
CUT_OFF = ("max_turns", "max_tokens", "max_cost", "deadline", "context_overflow", "aborted")
GRACE_SECONDS = 60  # for the answer of a server that keeps to the time of the request
WAITING = ThreadPoolExecutor(512)  # for answers: how many rollouts run at once is the server's choice


class RolloutFailed(Exception):
    """There is nothing to train on. An errored rollout has no reward: a 0 in its place would teach something false."""


def play(item, sampling=None, n=1):
    """What `POST /rollouts` answers. item: a dict with item_id, index or row."""
    body = json.loads(os.environ.get("HERMES_ROLLOUTS_BODY", "{}"))
    body.update({key: item[key] for key in ITEM_KEYS if item.get(key) is not None}, n=n)
    seconds = body.setdefault("timeout_seconds", 3600)
    body["sampling"] = {**body.get("sampling", {}), **sampling_of(sampling or {})}
    headers = {"authorization": "Bearer " + os.environ.get("HERMES_ROLLOUTS_TOKEN", "")}
    text = json.dumps(body, default=lambda value: value.tolist())  # rows of a data set hold numbers of numpy
    request = Request(os.environ["HERMES_ROLLOUTS_URL"] + "/rollouts", text.encode(), headers)
    try:
        with urlopen(request, timeout=seconds + GRACE_SECONDS) as answer:
            return json.load(answer)["rollouts"]
    except HTTPError as error:
        raise RolloutFailed(f"{item}: {error.read().decode()}") from error


def sampling_of(given):
    """A trainer's sampling values under the names of OpenAI's API, without those that mean nothing."""
    said = {"max_tokens" if key in MAX_TOKENS else key: value for key, value in given.items() if value is not None}
    known = {key: said[key] for key in SAMPLING_KEYS if key in said}
    if known.get("top_k", 1) < 1:  # all of them, which engines write in different ways
        del known["top_k"]
    if isinstance(known.get("stop"), str):
        known["stop"] = [known["stop"]]
    return known


def trainable(rollout):
    """The rollout itself. Raises RolloutFailed where it has no tokens or no reward."""
    if rollout["trainable"]:
        return rollout
    raise RolloutFailed(f"{rollout['item_id']}: {rollout['error'] or 'the model has no token ids'}")


async def play_one(item, sampling=None):
    """One rollout; the event loop goes on meanwhile."""
    loop = asyncio.get_running_loop()
    return (await loop.run_in_executor(WAITING, play, item, sampling))[0]


def columns(rollouts, names):
    """A list of each key, under the trainer's name for it."""
    return {theirs: [rollout[ours] for rollout in rollouts] for theirs, ours in names.items()}


def was_cut_off(rollout):
    """Whether a limit ended the agent, not the model itself."""
    return rollout["finish_reason"] in CUT_OFF


async def verl_run(sampling_params, **row):
    """The fields of verl's AgentLoopOutput. The row's extra_info names the item."""
    rollout = trainable(await play_one(row["extra_info"], sampling_params))
    seconds = {"generate_sequences": rollout["agent_seconds"], "compute_score": rollout["verify_seconds"]}
    tokens = {key: rollout[key] for key in ("prompt_ids", "response_ids", "response_mask")}
    return tokens | {
        "response_logprobs": rollout["logprobs"],
        "reward_score": rollout["reward"],
        "num_turns": sum(message["role"] != "system" for message in rollout["messages"]),
        "metrics": {"tool_calls": 0.0, **seconds},
        "extra_fields": {"rollout_id": rollout["rollout_id"], "rewards": rollout["rewards"]},
    }


async def skyrl_generate(input_batch):
    """SkyRL's GeneratorOutput. The env_extras of the batch name the items."""
    sampling = input_batch.get("sampling_params")
    playing = [play_one(item, sampling) for item in input_batch["env_extras"]]
    rollouts = [trainable(rollout) for rollout in await asyncio.gather(*playing)]
    names = {"prompt_token_ids": "prompt_ids", "response_ids": "response_ids", "rewards": "reward"}
    names |= {"loss_masks": "response_mask", "rollout_logprobs": "logprobs"}
    return columns(rollouts, names) | {"stop_reasons": ["length" if was_cut_off(one) else "stop" for one in rollouts]}


def trl_rollout_func(prompts, trainer):
    """TRL's rollout_func: the prompts are ids of items. What else it returns goes to the reward function, here trl_reward."""
    sampling = {key: getattr(trainer.args, key, None) for key in (*SAMPLING_KEYS, *MAX_TOKENS)}
    groups = [(item_id, len(list(same))) for item_id, same in groupby(prompts)]
    answers = WAITING.map(lambda group: play({"item_id": group[0]}, sampling, group[1]), groups)
    rollouts = [trainable(rollout) for answer in answers for rollout in answer]
    names = {"prompt_ids": "prompt_ids", "completion_ids": "response_ids", "logprobs": "logprobs"}
    return columns(rollouts, names | {"env_mask": "response_mask", "env_reward": "reward"})


def trl_reward(env_reward, **_):
    """TRL's reward function for trl_rollout_func."""
    return env_reward


async def generate(args, sample, sampling_params):
    """slime's custom generate function. The metadata of the sample names the item; a failed one is taken out of the loss."""
    rollout = await play_one(sample.metadata, sampling_params)
    if not rollout["trainable"]:
        sample.status, sample.remove_sample = sample.Status.FAILED, True
        return sample
    sample.tokens = rollout["prompt_ids"] + rollout["response_ids"]
    sample.response_length = len(rollout["response_ids"])
    sample.response = rollout["messages"][-1].get("content") or ""
    sample.loss_mask, sample.rollout_log_probs = rollout["response_mask"], rollout["logprobs"]
    sample.reward, sample.weight_versions = rollout["reward"], rollout["weight_versions"]
    sample.status = sample.Status.TRUNCATED if was_cut_off(rollout) else sample.Status.COMPLETED
    return sample
