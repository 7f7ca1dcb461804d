"""Reads training files with the readers that people train with, and says what they found.

Argument: a JSON file, [{"path", "kind", "schema"}]. Answer: one JSON object a path: what breaks the schema, rows, the first of them, and texts that chat templates made.
"""

import json
import sys
from pathlib import Path

import datasets
import jsonschema
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

# every message, every call with its arguments, every tool that was offered
TEMPLATE = """{%- for tool in tools or [] %}<tool>{{ tool.function.name }}</tool>{% endfor %}
{%- for message in messages %}<|{{ message.role }}|>{{ message.content }}
{%- for call in message.tool_calls or [] %}<call>{{ call.function.name }} {{ call.function.arguments }}</call>{% endfor %}
{%- endfor %}"""


def tokenizer(template):
    plain = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    made = PreTrainedTokenizerFast(tokenizer_object=plain)
    made.chat_template = template
    return made


def schema_problems(path, schema):
    validator = jsonschema.Draft202012Validator(json.loads(Path(schema).read_text()))
    lines = Path(path).read_text().splitlines()
    return [error.message for line in lines for error in validator.iter_errors(json.loads(line))]


def conversations(row, kind):
    if kind == "messages":
        return [row["messages"]]
    return row["messages"] if kind == "groups" else []


def read(path, kind, schema, templates, cache):
    rows = datasets.load_dataset("json", data_files=path, split="train", cache_dir=cache)
    texts = []
    for row in rows:
        tools = json.loads(row["tools"]) if row.get("tools") else None
        for messages in conversations(row, kind):
            for template in templates:
                text = tokenizer(template).apply_chat_template(messages, tools=tools, tokenize=False)
                texts.append(text)
    return {
        "problems": schema_problems(path, schema),
        "rows": rows.num_rows,
        "first": json.loads(json.dumps(rows[0])),
        "texts": texts,
    }


def main():
    asked = json.loads(Path(sys.argv[1]).read_text())
    templates = [TEMPLATE, *(Path(file).read_text() for file in asked["templates"])]
    datasets.disable_progress_bars()
    cache = asked["cache"]
    found = {file["path"]: read(**file, templates=templates, cache=cache) for file in asked["files"]}
    json.dump(found, sys.stdout)


main()
