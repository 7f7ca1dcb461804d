"""Reads event files back with TensorBoard's own reader, and every record's checksums with its own arithmetic: FOLDER -> one JSON object."""

import glob
import json
import struct
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c

records = 0
for path in glob.glob(sys.argv[1] + "/*tfevents*"):
    data, at = open(path, "rb").read(), 0
    while at < len(data):
        length, crc = struct.unpack_from("<QI", data, at)
        (data_crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert masked_crc32c(data[at : at + 8]) == crc, f"length at {at}"
        assert masked_crc32c(data[at + 12 : at + 12 + length]) == data_crc, f"record at {at}"
        at += 16 + length
        records += 1

run = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "tensors": 0}).Reload()
scalars = {tag: [[one.step, one.wall_time, one.value] for one in run.Scalars(tag)] for tag in run.Tags()["scalars"]}
texts = {}
for tag in run.Tags()["tensors"]:
    assert run.SummaryMetadata(tag).plugin_data.plugin_name == "text"
    for one in run.Tensors(tag):
        cells = [cell.decode() for cell in one.tensor_proto.string_val]
        shape = [dimension.size for dimension in one.tensor_proto.tensor_shape.dim]
        texts.setdefault(tag, []).append([one.step, shape, cells])
print(json.dumps({"records": records, "scalars": scalars, "texts": texts}))
