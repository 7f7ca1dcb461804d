"""Runs the cases of a file with SGLang's own detectors: see protocol.md.

    python sglang.py FOLDER CASES

FOLDER/files holds the Python files of the wheel. SGLang asks for torch and a few others when it is
imported, but its detectors use nothing of them, so stand-ins take their places.
"""

import importlib.abc
import importlib.machinery
import json
import logging
import os
import sys
import time
import types

FORMATS = {
    "apertus": "apertus2509",
    "deepseek_v3": "deepseekv3",
    "deepseek_v3_1": "deepseekv31",
    "deepseek_v32": "deepseekv32",
    "deepseek_v4": "deepseekv4",
    "gemma4": "gemma4",
    "gigachat3": "gigachat3",
    "glm45": "glm45",
    "glm47": "glm47",
    "hermes": "hermes",
    "hy_v3": "hunyuan",
    "internlm": "interns1",
    "kimi_k2": "kimi_k2",
    "kimi_k3": "kimi_k3",
    "lfm2": "lfm2",
    "llama3_json": "llama3",
    "minimax_m2": "minimax-m2",
    "minimax_m3": "minimax-m3",
    "mistral": "mistral",
    "pythonic": "pythonic",
    "qwen": "qwen25",
    "qwen3_coder": "qwen3_coder",
    "step3": "step3",
}
ABSENT = ("torch", "xgrammar", "sglang.srt.utils", "tml_renderers", "deepseek_recipe")


class AnythingType(type):
    """A class whose attributes, items and unions are such classes again."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything

    def __getitem__(cls, _):
        return cls

    def __or__(cls, _):
        return cls

    def __ror__(cls, _):
        return cls

    def __iter__(cls):
        return iter(())


class Anything(metaclass=AnythingType):
    """What a missing module holds. As a decorator it leaves the function as it is."""

    def __init__(self, *_, **__):
        pass

    def __call__(self, *arguments, **__):
        is_decorator = len(arguments) == 1 and callable(arguments[0])
        return arguments[0] if is_decorator else Anything()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    @classmethod
    def __get_pydantic_core_schema__(cls, _source, _handler):
        from pydantic_core import core_schema

        return core_schema.any_schema()


class StandIn(types.ModuleType):
    """A module with whatever is asked of it."""

    def __getattr__(self, name):
        if name == "__version__":
            return "9.9.9"
        if name.startswith("__"):
            raise AttributeError(name)
        made = AnythingType(name, (Anything,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class AbsentModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if any(name == absent or name.startswith(absent + ".") for absent in ABSENT):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = StandIn(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


def load(folder):
    """SGLang's parser and its type of tools, without running the package's own start."""
    sys.meta_path.insert(0, AbsentModules())
    package = types.ModuleType("sglang")
    package.__path__ = [os.path.join(folder, "files", "sglang")]
    package.__spec__ = importlib.machinery.ModuleSpec("sglang", None, is_package=True)
    sys.modules["sglang"] = package
    from sglang.srt.entrypoints.openai.protocol import Tool
    from sglang.srt.function_call.function_call_parser import FunctionCallParser

    return FunctionCallParser, Tool


def read_whole(parser, text):
    if not parser.has_tool_call(text):
        return [], text
    content, calls = parser.parse_non_stream(text)
    return [{"name": call.name, "arguments": call.parameters} for call in calls], content


def read_stream(parser, text, chunk):
    calls, content = {}, []

    def take(result):
        piece, deltas = result
        content.append(piece or "")
        for delta in deltas:
            call = calls.setdefault(delta.tool_index, {"name": "", "arguments": ""})
            call["name"] += delta.name or ""
            call["arguments"] += delta.parameters or ""

    for start in range(0, len(text), chunk):
        take(parser.parse_stream_chunk(text[start : start + chunk]))
    take(parser.parse_stream_end())
    return [calls[index] for index in sorted(calls)], "".join(content)


def answer(case, create_parser, tool_type):
    tools = [tool_type(**tool) for tool in case["tools"]]
    text, chunk = case["text"], case.get("chunk")

    def once():
        parser = create_parser(tools, FORMATS[case["format"]])
        try:
            return read_stream(parser, text, chunk) if chunk else read_whole(parser, text)
        except Exception:  # an answer that it fails on is one without calls
            return [], ""

    calls, content = once()
    microseconds = None
    started = time.process_time()
    while time.process_time() - started < case["budgetMs"] / 1000:
        begin = time.process_time()
        once()
        spent = (time.process_time() - begin) * 1e6
        microseconds = spent if microseconds is None else min(microseconds, spent)
    return {"id": case["id"], "microseconds": microseconds, "calls": calls, "content": content}


def main():
    folder, file = sys.argv[1:3]
    os.environ["SGLANG_FORWARD_UNKNOWN_TOOLS"] = "1"
    create_parser, tool_type = load(folder)
    logging.disable(logging.CRITICAL)
    with open(file, encoding="utf-8") as cases:
        for line in cases:
            case = json.loads(line)
            if case["format"] in FORMATS:
                found = answer(case, create_parser, tool_type)
                sys.stdout.write(json.dumps(found, ensure_ascii=True) + "\n")


main()
