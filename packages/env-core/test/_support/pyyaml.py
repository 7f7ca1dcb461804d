"""Reads a JSON list of YAML texts on standard input; answers with what PyYAML's safe_load makes of each."""
import json
import math
import sys

import yaml


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "<nan>" if value != value else "<inf>" if value > 0 else "<-inf>"
    if isinstance(value, list):
        return [plain(member) for member in value]
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    return value


def answer(text):
    try:
        return {"text": text, "data": plain(yaml.safe_load(text))}
    except yaml.YAMLError:
        return {"text": text, "fails": True}


print(json.dumps([answer(text) for text in json.load(sys.stdin)]))
