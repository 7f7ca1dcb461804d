"""Asks math-verify about pairs of answers: JSON lines in, one `true` or `false` line each out."""

import json
import logging
import sys

from math_verify import parse, verify

logging.disable(logging.CRITICAL)

for line in sys.stdin:
    pair = json.loads(line)
    gold = parse("\\boxed{" + pair["gold"] + "}")
    answer = parse(pair["response"])
    print(json.dumps(bool(verify(gold, answer))))
