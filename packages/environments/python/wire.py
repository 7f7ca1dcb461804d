"""Plain values as JSON: what passes between the judge and the solution. Nothing that is read here runs code."""

import itertools
import json
import numbers
from decimal import Decimal
from fractions import Fraction

MAX_ITEMS = 100_000


class Stranger:
    """Stands for a value of no plain type: it equals nothing, and can be walked through if the original could."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


def pack(value):
    """Subclasses of plain types count as these: a Counter is a dict, as it is when compared."""
    if value is None or isinstance(value, (bool, str)):
        return value if value is None or isinstance(value, bool) else str.__str__(value)
    if isinstance(value, numbers.Integral):
        return ["int", format(int(value), "x")]
    if isinstance(value, float):
        return ["float", float.hex(value)]
    if isinstance(value, complex):
        return ["complex", float.hex(value.real), float.hex(value.imag)]
    if isinstance(value, numbers.Rational):
        return ["fraction", format(value.numerator, "x"), format(value.denominator, "x")]
    if isinstance(value, Decimal):
        return ["decimal", Decimal.__str__(value)]
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", bytes(value).hex()]
    return pack_members(value)


def pack_members(value):
    for name, kind in KINDS.items():
        if isinstance(value, kind):
            return [name, *map(pack, kind.__iter__(value))]
    if isinstance(value, dict):
        return ["dict", *([pack(key), pack(item)] for key, item in dict.items(value))]
    try:
        return ["stranger", *map(pack, itertools.islice(value, MAX_ITEMS))]
    except TypeError:
        return ["stranger"]


def unpack(data):
    if not isinstance(data, list):
        return data
    name, *parts = data
    if name in KINDS:
        return KINDS[name](map(unpack, parts))
    return READERS[name](*parts)


KINDS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}

READERS = {
    "int": lambda digits: int(digits, 16),
    "float": float.fromhex,
    "complex": lambda real, imaginary: complex(float.fromhex(real), float.fromhex(imaginary)),
    "fraction": lambda above, below: Fraction(int(above, 16), int(below, 16)),
    "decimal": Decimal,
    "bytes": bytes.fromhex,
    "dict": lambda *pairs: {unpack(key): unpack(item) for key, item in pairs},
    "stranger": lambda *items: Stranger(list(map(unpack, items))),
}


def compiled(source):
    """A prompt may end with the head of a function."""
    try:
        return compile(source, "program.py", "exec")
    except SyntaxError:
        return compile(source + "\n    pass\n", "program.py", "exec")


def to_line(message):
    return (json.dumps(message) + "\n").encode()
