"""How fast the tokenizers of transformers encode a text: encode.py DIR TEXT. One JSON line a folder of DIR."""

import json
import os
import sys
import time

from transformers import AutoTokenizer

folder, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
for name in sorted(os.listdir(folder)):
    tokenizer = AutoTokenizer.from_pretrained(os.path.join(folder, name)).backend_tokenizer
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        count = len(tokenizer.encode(text, add_special_tokens=False).ids)
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"name": name, "seconds": best, "tokens": count}))
