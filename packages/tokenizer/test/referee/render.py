"""What transformers makes of chat templates: render.py < REQUEST.json > ANSWERS.json

REQUEST is {templates: {name: source}, cases: [{messages, tools, generation_prompt, arguments}]}. The answer of a template
is a list with ["ok", text, spans between generation tags] or ["error", message] for each case. It is always 14:07:09 on 5 March 2026."""

import json
import sys
from datetime import datetime

from transformers.utils import chat_template_utils


class Frozen(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime(2026, 3, 5, 14, 7, 9)


chat_template_utils.datetime = Frozen


def render(source, case):
    chat = chat_template_utils._normalize_chat_messages(case["messages"])
    texts, spans = chat_template_utils.render_jinja_template(
        [chat],
        tools=case.get("tools"),
        chat_template=source,
        add_generation_prompt=case["generation_prompt"],
        return_assistant_tokens_mask=True,
        **{"bos_token": "<BOS>", "eos_token": "<EOS>", **case.get("arguments", {})},
    )
    return ["ok", texts[0], spans[0]]


def attempt(source, case):
    try:
        return render(source, case)
    except Exception as error:  # whatever a template raises is an answer
        return ["error", f"{type(error).__name__}: {error}"]


def main():
    request = json.load(sys.stdin)
    answers = {name: [attempt(source, case) for case in request["cases"]] for name, source in request["templates"].items()}
    json.dump(answers, sys.stdout)


main()
