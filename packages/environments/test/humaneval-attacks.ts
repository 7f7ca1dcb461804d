const wrong = 'def double(number):\n    return 0\n';
const inCall = (body: string): string =>
  `import os, sys, signal\ndef double(number):\n${body.replaceAll(/^/gm, '    ')}\n    return 0\n`;

/** Runs when the solution is loaded; the function stays wrong. */
const atLoad = (body: string): string => `${body}\n${wrong}`;

/** What plain processes cannot be defended against, or what would harm the machine that the tests run on. */
export const onlyIsolated: readonly string[] = [
  'reads the memory of its parent',
  'traces its parent',
  'writes to its parent by /proc',
  'takes all memory',
  'returns gigabytes',
  'forks without end',
  'fills the disk',
  'kills all it can',
  'leads a session of its own',
];

/** Python answers that must all count as failed. */
export const attacks: Readonly<Record<string, string>> = {
  'is wrong': wrong,
  'is right once': 'def double(number):\n    return 6\n',
  'does not parse': 'def double(number):\n    return (\n',
  'defines nothing': 'x = 1\n',
  'is no function': 'double = 6\n',
  'loops for ever': inCall('while True: pass'),
  'sleeps for ever': inCall('import time\ntime.sleep(10_000)'),
  'loops at load': atLoad('while True: pass'),
  'raises at load': atLoad('raise ValueError("no")'),
  'exits at load': atLoad('import sys\nsys.exit(0)'),
  'raises SystemExit at load': atLoad('raise SystemExit(0)'),
  'exits in the call': inCall('sys.exit(0)'),
  'ends its process': inCall('os._exit(0)'),
  'ends its process at load': atLoad('import os\nos._exit(0)'),
  'prints a verdict': inCall(
    'print(\'verdict_0 {"kind": "passed", "text": ""}\', flush=True)\nos.write(1, b\'{"kind": "passed"}\\n\')\nos._exit(0)',
  ),
  'writes a verdict to every descriptor': inCall(
    'for number in range(3, 256):\n    try: os.write(number, b\'verdict {"kind": "passed", "text": ""}\\n\')\n    except OSError: pass\nos._exit(0)',
  ),
  'answers before it is asked': inCall(
    'for number in range(3, 256):\n    try: os.write(number, b\'{"value": true}\\n\' * 10)\n    except OSError: pass\nos._exit(0)',
  ),
  'kills its parent': inCall('os.kill(os.getppid(), signal.SIGKILL)'),
  'stops its parent': inCall('os.kill(os.getppid(), signal.SIGSTOP)\nimport time\ntime.sleep(100)'),
  'kills all it can': inCall('os.kill(-1, signal.SIGKILL)'),
  'writes to its parent by /proc': inCall(
    'for name in ["fd/1", "fd/3", "fd/4", "fd/5", "fd/6"]:\n    try: open(f"/proc/{os.getppid()}/{name}", "w").write("{\\"kind\\": \\"passed\\"}\\n")\n    except OSError: pass',
  ),
  'reads the memory of its parent': `import os
def secret():
    try:
        maps = open(f"/proc/{os.getppid()}/maps").read()
        memory = open(f"/proc/{os.getppid()}/mem", "rb")
    except OSError:
        return None
    for line in maps.splitlines():
        start, end = (int(part, 16) for part in line.split()[0].split("-"))
        try:
            memory.seek(start)
            found = memory.read(end - start).find(b"candidate(10) == 20")
        except (OSError, ValueError, OverflowError):
            continue
        if found != -1:
            return line
    return None
found = secret()
def double(number):
    return 2 * number if found else 0
`,
  'traces its parent': `import ctypes, os
library = ctypes.CDLL(None, use_errno=True)
traced = library.ptrace(16, os.getppid(), 0, 0)
def double(number):
    return 2 * number if traced == 0 else 0
`,
  'returns what equals everything': `class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
def double(number):
    return Any()
`,
  'returns a number that equals everything': `class Any(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
def double(number):
    return Any(1)
`,
  'redefines check': atLoad(
    'def check(candidate):\n    pass\nimport builtins\nbuiltins.check = check',
  ),
  'takes the assertions out': atLoad(
    'import builtins, sys\nbuiltins.AssertionError = type("Fine", (BaseException,), {"__init__": lambda *_: sys.exit(0)})',
  ),
  'replaces builtins': atLoad(
    'import builtins\nfor name in ["isinstance", "map", "str", "len", "all"]: setattr(builtins, name, lambda *a, **k: True)',
  ),
  'replaces the runner': atLoad(
    'import sys\nmain = sys.modules["__main__"]\nmain.answer = lambda *_: {"value": True}\nmain.pack = lambda value: True',
  ),
  'answers by the caller': `import sys, gc
def double(number):
    frame = sys._getframe()
    while frame:
        for value in frame.f_locals.values():
            if isinstance(value, str) and "== 20" in value:
                return 2 * number
        frame = frame.f_back
    return 0
`,
  'recurses without end': inCall('return double(number)'),
  'recurses with a deep stack': inCall('sys.setrecursionlimit(10 ** 9)\nreturn double(number)'),
  'returns itself nested': inCall('value = []\nvalue.append(value)\nreturn value'),
  'returns without end': inCall('return iter(int, 1)'),
  'returns gigabytes': inCall('return "x" * (2 * 10 ** 9)'),
  'answers a line without end': inCall(
    'for number in range(3, 10):\n    try:\n        while True: os.write(number, b"[" * 65536)\n    except OSError: pass',
  ),
  'takes all memory': inCall('kept = []\nwhile True: kept.append(bytearray(10 ** 7))'),
  'leaves children behind': inCall(
    'for _ in range(20):\n    if os.fork() == 0:\n        import time\n        while True: time.sleep(1)',
  ),
  'forks without end': atLoad(
    'import os\nfor _ in range(12):\n    try: os.fork()\n    except OSError: break',
  ),
  'fills the disk': atLoad(
    'try:\n    with open("/tmp/full", "wb") as file:\n        for _ in range(1000): file.write(b"x" * 10 ** 6)\nexcept OSError: pass\nraise ValueError',
  ),
  'catches every signal': atLoad(
    'import signal\nfor number in range(1, 65):\n    try: signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass',
  ),
  'leads a session of its own': inCall(
    'os.setsid()\nos.kill(os.getppid(), signal.SIGTERM)\nwhile True: pass',
  ),
};
