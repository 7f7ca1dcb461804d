"""Reads the log of an offline run back, with the client's own message types: FOLDER -> one JSON object."""

import glob
import json
import struct
import sys

from wandb.proto import wandb_internal_pb2

HEADER, BLOCK, RECORD_HEADER = 7, 32768, 7


def payloads(data):
    """The records of a LevelDB log, whole again."""
    at, parts = HEADER, b""
    while at + RECORD_HEADER <= len(data):
        left = BLOCK - at % BLOCK
        if left < RECORD_HEADER:
            at += left
            continue
        _, length, kind = struct.unpack_from("<IHB", data, at)
        if kind == 0:
            return
        parts += data[at + RECORD_HEADER : at + RECORD_HEADER + length]
        at += RECORD_HEADER + length
        if kind in (1, 4):
            yield parts
            parts = b""


def items(sequence):
    return {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in sequence}


found = {"history": [], "summary": {}, "exit": None}
for path in sorted(glob.glob(sys.argv[1] + "/wandb/*run-*/*.wandb")):
    for payload in payloads(open(path, "rb").read()):
        record = wandb_internal_pb2.Record.FromString(payload)
        kind = record.WhichOneof("record_type")
        if kind == "run":
            run = record.run
            found["run"] = {"project": run.project, "name": run.display_name, "id": run.run_id, "group": run.run_group}
            found["config"] = items(run.config.update)
        elif kind == "history":
            found["history"].append(items(record.history.item))
        elif kind == "summary":
            found["summary"].update(items(record.summary.update))
        elif kind == "exit":
            found["exit"] = record.exit.exit_code
print(json.dumps(found))
