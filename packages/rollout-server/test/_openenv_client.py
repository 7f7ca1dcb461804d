"""Plays episodes with the client of openenv-core as its users do, and prints what it saw."""

import asyncio
import importlib.util
import json
import os
import sys
import types

# The package's own __init__ imports its server, with large dependencies that its client does not need.
[root] = importlib.util.find_spec("openenv").submodule_search_locations
core = types.ModuleType("openenv.core")
core.__path__ = [os.path.join(root, "core")]
sys.modules["openenv.core"] = core
from openenv.core.generic_client import GenericAction, GenericEnvClient  # noqa: E402

[url] = sys.argv[1:]
TOOL_CALL = {"id": "c1", "function": {"name": "none", "arguments": "{}"}}


def seen(result):
    return {
        "roles": [message["role"] for message in result.observation["messages"]],
        "reward": result.reward,
        "done": result.done,
    }


async def error_of(work):
    try:
        await work
    except RuntimeError as error:
        return str(error)


async def play():
    async with GenericEnvClient(base_url=url) as client:
        before = await client.state()
        early = await error_of(client.step({"content": "right"}))
        results = [await client.reset(seed=1, episode_id="mine")]
        results.append(await client.step({"content": "", "tool_calls": [TOOL_CALL]}))
        results.append(await client.step(GenericAction(content="right")))
        return {
            "before": before["episode_id"],
            "early": early,
            "results": [seen(result) for result in results],
            "state": await client.state(),
            "wrong": await error_of(client.reset(sed=1)),
        }


def play_in_step():
    with GenericEnvClient(base_url=url).sync() as client:
        client.reset(item_id="item-2")
        return seen(client.step({"content": "wrong"}))


print(json.dumps({"played": asyncio.run(play()), "in_step": play_in_step()}))
