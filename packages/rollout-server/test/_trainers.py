"""Calls the four shapes of hermes_rollouts as their trainers do, and prints what comes back."""

import asyncio
import dataclasses
import enum
import json
import sys
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import hermes_rollouts  # noqa: E402

ITEM_ID, BROKEN_ID = sys.argv[2:]
SAMPLING = {"temperature": 0.5, "max_new_tokens": 64, "skip_special_tokens": False, "stop": "END", "top_k": -1}


class NumpyNumber:
    """As the numbers in rows of a data set."""

    def tolist(self):
        return 0


@dataclasses.dataclass
class Sample:
    """As slime's, with what its hook reads and writes."""

    Status = enum.Enum("Status", {"PENDING": "pending", "COMPLETED": "completed", "TRUNCATED": "truncated", "FAILED": "failed"})
    metadata: dict
    status: enum.Enum = Status.PENDING
    remove_sample: bool = False
    tokens: list = dataclasses.field(default_factory=list)
    response: str = ""
    response_length: int = 0
    loss_mask: list = None
    rollout_log_probs: list = None
    reward: float = None
    weight_versions: list = dataclasses.field(default_factory=list)


async def slime(item_id):
    sample = await hermes_rollouts.generate(None, Sample({"item_id": item_id}), SAMPLING)
    return {**dataclasses.asdict(sample), "status": sample.status.value}


async def failure_of(rollout):
    try:
        await rollout
    except hermes_rollouts.RolloutFailed as error:
        return str(error)


async def main():
    trainer = types.SimpleNamespace(args=types.SimpleNamespace(temperature=0.5, max_completion_length=64))
    batch = {"env_extras": [{"index": NumpyNumber()}, {"item_id": ITEM_ID}], "sampling_params": {"temperature": 0.5, "max_generate_length": 64}}
    broken = {"item_id": BROKEN_ID}
    shapes = {
        "verl": await hermes_rollouts.verl_run(SAMPLING, raw_prompt=[], extra_info={"item_id": ITEM_ID}),
        "skyrl": await hermes_rollouts.skyrl_generate(batch),
        "trl": hermes_rollouts.trl_rollout_func([ITEM_ID, ITEM_ID, "item-0"], trainer),
        "slime": await slime(ITEM_ID),
        "slime_broken": await slime(BROKEN_ID),
        "verl_broken": await failure_of(hermes_rollouts.verl_run(SAMPLING, extra_info=broken)),
        "verl_unknown": await failure_of(hermes_rollouts.verl_run(SAMPLING, extra_info={"item_id": "none"})),
    }
    shapes["trl_reward"] = hermes_rollouts.trl_reward(**shapes["trl"])
    print(json.dumps(shapes))


asyncio.run(main())
