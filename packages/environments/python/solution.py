"""
Runs a solution and answers calls of its function, one JSON line each. Nothing of the tests is in this process.
after: the arguments, where the function has changed them in place.
"""

import os
import resource
import sys
import types


def main():
    requests = os.fdopen(int(sys.argv[1]), "rb")
    answers = os.fdopen(int(sys.argv[2]), "wb")
    job = json.loads(requests.readline())
    limit(job)
    function = None
    try:
        function = load(job)
        answers.write(to_line({"value": None}))
    except BaseException as error:
        answers.write(to_line(described(error)))
    answers.flush()
    while function is not None:
        line = requests.readline()
        if not line:
            break
        answers.write(to_line(answer(function, json.loads(line))))
        answers.flush()
    os._exit(0)


def limit(job):
    """The second number is hard: the solution cannot raise it again."""
    for name, pair in job["limits"].items():
        kind = getattr(resource, name, None)
        if kind is not None:
            try:
                resource.setrlimit(kind, tuple(pair))
            except (ValueError, OSError):
                pass


def load(job):
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    for source in job["sources"]:
        exec(compiled(source), module.__dict__)
    return getattr(module, job["entryPoint"])


def answer(function, request):
    try:
        positional = unpack(request["positional"])
        reply = {"value": pack(function(*positional, **unpack(request["named"])))}
        after = pack(positional)
        return reply if after == request["positional"] else {**reply, "after": after}
    except BaseException as error:
        return described(error)


def described(error):
    try:
        return {"raised": [type(error).__name__, str(error)[:500]]}
    except BaseException:
        return {"raised": [type(error).__name__, ""]}


main()
