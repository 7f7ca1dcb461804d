"""From hermes to Weights & Biases: JSON lines on stdin go to one run of the client `wandb`, and each is answered by a line on stdout.

It ends with its stdin, so also when the process that started it was killed; what it has by then is kept.
"""

import json
import os
import queue
import sys
import threading

# For the client to bring its run to an end after stdin did.
END_SECONDS = 30


def main():
    lines, answers = take_pipes()
    messages = queue.Queue()
    threading.Thread(target=read, args=(lines, messages), daemon=True).start()
    try:
        run, log = open_run(messages.get()["start"])
    except Exception as error:
        answer(answers, {"failed": type(error).__name__, "message": str(error)})
        return 1
    answer(answers, {"ready": True})
    exit_code = follow(messages, log, answers)
    run.finish(exit_code=exit_code)
    answer(answers, {"finished": True})
    return exit_code


def take_pipes():
    """Stdin and stdout become ours alone: the client and its processes must neither read the one nor write the other."""
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return lines, answers


def read(lines, messages):
    """In a thread of its own: the end of stdin counts also while the client hangs."""
    for line in lines:
        messages.put(json.loads(line))
    messages.put(None)
    threading.Event().wait(END_SECONDS)
    os._exit(1)


def open_run(start):
    import wandb

    seconds = start.pop("startSeconds")
    settings = wandb.Settings(console="off", silent=True, disable_git=True, save_code=False, init_timeout=seconds)
    resume = "allow" if start.get("id") else None
    run = wandb.init(**start, resume=resume, settings=settings)

    def log(entry):
        kind, step = entry["kind"], entry["step"]
        if kind == "summary":
            run.summary.update(entry["values"])
            return
        values = entry.get("values")
        if kind == "table":
            table = wandb.Table(columns=entry["columns"], data=entry["rows"], allow_mixed_types=True)
            values = {entry["name"]: table}
        run.log({**values, "_timestamp": entry["seconds"]}, step=step)

    return run, log


def follow(messages, log, answers):
    """Until we are told to finish (0), or whoever started us is gone (1)."""
    while True:
        message = messages.get()
        if message is None:
            return 1
        if message.get("finish"):
            return 0
        for entry in message["entries"]:
            log(entry)
        answer(answers, {"taken": len(message["entries"])})


def answer(answers, message):
    try:
        print(json.dumps(message), file=answers, flush=True)
    except BrokenPipeError:
        pass  # whoever asked is gone; the end of stdin says so, too


if __name__ == "__main__":
    sys.exit(main())
