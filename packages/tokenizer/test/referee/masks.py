"""Which tokens of conversations the assistant wrote, by transformers: masks.py DIR TEMPLATE < CHATS.json > ANSWERS.json

DIR holds a folder for each tokenizer. The answer of a conversation is [ids, mask]."""

import json
import os
import sys

from transformers import AutoTokenizer


def main(folder, template):
    chats = json.load(sys.stdin)
    answers = {}
    for name in sorted(os.listdir(folder)):
        tokenizer = AutoTokenizer.from_pretrained(os.path.join(folder, name))
        rows = []
        for chat in chats:
            encoded = tokenizer.apply_chat_template(chat, chat_template=template, return_assistant_tokens_mask=True, return_dict=True)
            rows.append([encoded["input_ids"], encoded["assistant_masks"]])
        answers[name] = rows
    json.dump(answers, sys.stdout)


main(sys.argv[1], sys.argv[2])
