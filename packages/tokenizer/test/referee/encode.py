"""What transformers makes of texts: encode.py DIR TEXTS.json > ANSWERS.json

DIR holds a folder for each tokenizer. The answer of a text is [ids, ids with special tokens, decoded text]."""

import json
import os
import sys

from transformers import AutoTokenizer


def main(folder, texts_file):
    with open(texts_file, encoding="utf-8") as file:
        texts = json.load(file)
    answers = {}
    for name in sorted(os.listdir(folder)):
        tokenizer = AutoTokenizer.from_pretrained(os.path.join(folder, name))
        rows = []
        for text in texts:
            ids = tokenizer.encode(text, add_special_tokens=False)
            rows.append([ids, tokenizer.encode(text), tokenizer.decode(ids), tokenizer.decode(ids, skip_special_tokens=True)])
        answers[name] = rows
    json.dump(answers, sys.stdout)


main(sys.argv[1], sys.argv[2])
