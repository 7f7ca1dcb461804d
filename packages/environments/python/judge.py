"""
Checks a solution by the tests of its problem. The tests run here, the solution in a process of its own, which only ever
sees the arguments of calls and answers with plain values. The verdict goes to standard output behind a secret word that
was read from standard input; the solution has neither the word nor a way to this process's memory and files.
"""

import ast
import builtins
import ctypes
import importlib
import os
import signal
import subprocess
import sys

MAX_LINE_BYTES = 8 * 1024 * 1024
PR_GET_DUMPABLE = 3
PR_SET_DUMPABLE = 4


class SolutionEnded(BaseException):
    """The solution's process is gone, or does not speak as agreed. No `except Exception` of a test hides it."""


class ProblemBroken(BaseException):
    """The problem itself cannot be used."""


def main():
    verdicts = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    request = json.loads(sys.stdin.buffer.read())

    def report(kind, text=""):
        verdicts.write(request["secret"] + json.dumps({"kind": kind, "text": text}) + "\n")
        verdicts.flush()

    report("started", "hidden" if hide() else "visible")
    try:
        report(*judge(request))
    except ProblemBroken as error:
        report("broken", str(error))


def hide():
    """No process of the same user may read this one's memory or open its files any more."""
    try:
        library = ctypes.CDLL(None)
        library.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        return library.prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0
    except (OSError, AttributeError):
        return False


def judge(request):
    names = read_problem(request)
    solution = Solution(request)
    try:
        solution.expect(request["job"])
        names[request["entryPoint"]] = solution
        names["check"](solution)
    except SolutionEnded as error:
        return "failed", str(error)
    except ProblemBroken:
        raise
    except BaseException as error:
        return "failed", f"{type(error).__name__}: {error}"[:500]
    return ("failed", solution.ended) if solution.ended else ("passed", "")


def read_problem(request):
    """Everything that the tests import is loaded now, before the solution can touch a file."""
    names = {"__name__": "problem"}
    try:
        for source in [request["prompt"], request["test"]]:
            preload(source)
            exec(compiled(source), names)
        if not callable(names.get("check")):
            raise NameError("the test defines no function check")
    except BaseException as error:
        raise ProblemBroken(f"{type(error).__name__}: {error}")
    return names


def preload(source):
    for node in ast.walk(parsed(source)):
        found = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            found = [node.module]
        for name in found:
            importlib.import_module(name)


def parsed(source):
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse(source + "\n    pass\n")


class Solution:
    """The function under test, as the tests see it."""

    def __init__(self, request):
        self.__name__ = request["entryPoint"]
        there, self.requests = os.pipe()
        self.answers, back = os.pipe()
        command = [sys.executable, "-I", "-c", request["program"], str(there), str(back)]
        quiet = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.DEVNULL)
        self.process = subprocess.Popen(command, pass_fds=[there, back], **quiet)
        os.close(there)
        os.close(back)
        self.reader = os.fdopen(self.answers, "rb")
        self.ended = ""

    def __call__(self, *positional, **named):
        if self.ended:
            raise SolutionEnded(self.ended)
        call = {"positional": pack(positional), "named": pack(named)}
        if '["stranger"' in json.dumps(call):
            raise ProblemBroken("the test calls the solution with values that are not plain")
        return self.expect(call, positional)

    def expect(self, message, arguments=()):
        """Sends a message and returns the value that comes back, or raises what the solution raised."""
        try:
            self.send(to_line(message))
            line = self.reader.readline(MAX_LINE_BYTES)
            reply = json.loads(line) if line.endswith(b"\n") else None
            if "value" in reply:
                change(arguments, unpack(reply["after"]) if "after" in reply else ())
                return unpack(reply["value"])
            name, text = map(str, reply["raised"])
        except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError, MemoryError):
            self.ended = self.describe_end()
            raise SolutionEnded(self.ended)
        raise as_error(name, text)

    def describe_end(self):
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return "the solution answered with no value"
        late = code in (-signal.SIGXCPU, -signal.SIGKILL)
        return "timed out: no processor time left" if late else f"the solution ended with {code}"

    def send(self, line):
        while line:
            line = line[os.write(self.requests, line) :]


def change(arguments, changed):
    """What the solution did to lists, dicts and sets that it was given, done to the tests' own."""
    for own, other in zip(arguments, changed):
        if isinstance(own, list) and isinstance(other, list):
            own[:] = other
        elif isinstance(own, (dict, set)) and type(own) is type(other):
            own.clear()
            own.update(other)


def as_error(name, text):
    """What the solution raised, where tests may expect it: built-in exceptions keep their type."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            return kind(text)
        except TypeError:
            pass
    return RuntimeError(f"{name}: {text}")


main()
