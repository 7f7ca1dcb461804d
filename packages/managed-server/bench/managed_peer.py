"""Plays conversations through Atropos' ManagedServer against an engine that costs nothing, and prints the milliseconds of each turn.

usage: managed_peer.py TOKENIZER_FOLDER CASES.json, where CASES is {name: [{"user": text, "answer": [ids]}, ...]}
"""
import asyncio
import json
import sys
import time
from types import SimpleNamespace

from atroposlib.envs.server_handling.managed_server import ManagedServer
from transformers import AutoTokenizer

REPEAT = 5


class Scripted:
    """Answers with the next ids; its own time is taken off."""

    def __init__(self, tokenizer, answers):
        self.config = SimpleNamespace(model_name="scripted")
        self.tokenizer = tokenizer
        self.answers = list(answers)
        self.spent = 0.0

    async def tokens_and_logprobs_completion(self, **arguments):
        started = time.perf_counter()
        ids = self.answers.pop(0)
        answer = (arguments["input_ids"], [ids], [[-0.5] * len(ids)], ["stop"])
        self.spent += time.perf_counter() - started
        return answer


async def play(tokenizer, turns):
    server = Scripted(tokenizer, [turn["answer"] for turn in turns])
    managed = ManagedServer(server, tokenizer=tokenizer)
    messages, times = [], []
    for turn in turns:
        messages.append({"role": "user", "content": turn["user"]})
        server.spent = 0.0
        started = time.perf_counter()
        result = await managed.chat_completion(messages=messages, max_tokens=64)
        times.append((time.perf_counter() - started - server.spent) * 1000)
        messages.append({"role": "assistant", "content": result.choices[0].message.content})
    return times


async def main():
    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
    with open(sys.argv[2]) as file:
        cases = json.load(file)
    await play(tokenizer, next(iter(cases.values())))
    best = {}
    for _ in range(REPEAT):
        for name, turns in cases.items():
            times = await play(tokenizer, turns)
            best[name] = [min(pair) for pair in zip(times, best.get(name, times))]
    print(json.dumps(best))


asyncio.run(main())
