"""Writes decimals.txt, the expected results that DecimalTableTests compares with.

Usage: python3 decimals.py > decimals.txt. Python's decimal module does the arithmetic of IEEE 754-2008.
A decimal is 32 hexadecimal digits, high word first.
"""

import decimal
import random
import struct
from decimal import Decimal

RULES = dict(rounding=decimal.ROUND_HALF_EVEN, Emin=-6143, Emax=6144, clamp=1, traps=[])
CONTEXT = decimal.Context(prec=34, **RULES)
EXACT = decimal.Context(prec=5000, Emin=-999999, Emax=999999, traps=[])
random.seed(20240607)


def bits(value):
    """The canonical encoding of a decimal of at most 34 digits."""
    sign, digits, exponent = value.as_tuple()
    if value.is_nan():
        return f"{0x7C << 120:032x}"
    if value.is_infinite():
        return f"{sign << 127 | 0x78 << 120:032x}"
    coefficient = int("".join(map(str, digits)) or "0")
    assert coefficient < 10 ** 34 and -6176 <= exponent <= 6111, value
    return f"{sign << 127 | exponent + 6176 << 113 | coefficient:032x}"


def operand():
    shape = random.randrange(12)
    digits = random.choice([1, 2, 7, 16, 17, 18, 20, 33, 34, 34])
    coefficient = random.randrange(10 ** digits)
    if shape == 0:
        coefficient = 10 ** (digits - 1)
    elif shape == 1:
        coefficient = 10 ** digits - 1
    elif shape == 2:
        coefficient = 5 * 10 ** (digits - 1)
    elif shape == 3:
        coefficient = 0
    exponent = random.choice([
        random.randint(-40, 40), random.randint(-5, 5), random.randint(-5, 5), random.randint(-80, 80),
        random.randint(-6176, 6111), random.randint(-6176, -6130), random.randint(6070, 6111)])
    value = EXACT.create_decimal((random.randrange(2), tuple(map(int, str(coefficient))), exponent))
    return random.choice([Decimal("Infinity"), Decimal("-Infinity")]) if random.randrange(60) == 0 else value


def near(value):
    """Another operand, often close to the first in size."""
    other = operand()
    if random.randrange(2) and value.is_finite() and other.is_finite():
        sign, digits, _ = other.as_tuple()
        exponent = min(max(value.as_tuple().exponent + random.randint(-45, 45), -6176), 6111)
        return EXACT.create_decimal((sign, digits, exponent))
    return other


def text():
    value = operand()
    digits = random.randrange(10 ** random.choice([1, 5, 34, 35, 36, 40, 41, 60]))
    if random.randrange(4) == 0:
        digits = digits - digits % 10 ** (len(str(digits)) // 2) + 5 * 10 ** max(len(str(digits)) // 2 - 1, 0)
    written = str(digits).zfill(random.choice([0, 0, 45]))
    point = random.randint(0, len(written))
    written = random.choice([written, written[:point] + "." + written[point:]])
    exponent = random.choice(["", f"e{random.randint(-50, 50)}", f"E{random.randint(-6300, 6200):+d}"])
    return random.choice([str(value), random.choice(["", "-", "+"]) + written + exponent])


def compared(value, digits):
    """The decimal that stands for a binary number when it meets a decimal: 34 digits, then `digits`."""
    result = CONTEXT.create_decimal(Decimal(value))
    if result.is_finite() and len(result.as_tuple().digits) > digits:
        result = decimal.Context(prec=digits, **RULES).plus(result)
    return CONTEXT.normalize(result) if result.is_finite() and result else CONTEXT.create_decimal(result)


def double():
    shape = random.randrange(4)
    if shape == 0:
        return struct.unpack(">d", random.randbytes(8))[0]
    if shape == 1:
        return round(random.uniform(-1000, 1000), random.randint(0, 6))
    if shape == 2:
        return random.choice([-1, 1]) * random.randrange(1 << 53) * 2.0 ** random.randint(-90, 210)
    return float(random.randint(-1 << 63, 1 << 63))


def line(*parts):
    print(*parts)


def truncated(value):
    if not value.is_finite() or value and value.adjusted() > 20:
        return "none"
    whole = int(value)
    return whole if -1 << 63 <= whole < 1 << 63 else "none"


OPERATIONS = {"add": CONTEXT.add, "sub": CONTEXT.subtract, "mul": CONTEXT.multiply, "div": CONTEXT.divide}

for index in range(1200):
    a = operand()
    b = near(a)
    name = list(OPERATIONS)[index % 4]
    line(name, bits(a), bits(b), bits(OPERATIONS[name](a, b)))
for index in range(200):
    a = operand()
    b = random.choice([a, near(a), EXACT.multiply(a, 1), CONTEXT.normalize(a)])
    line("cmp", bits(a), bits(b), int(a.compare(b)))
for index in range(300):
    written = text()
    line("parse", written, bits(CONTEXT.create_decimal(written)))
for index in range(200):
    a = CONTEXT.create_decimal(random.choice([operand(), Decimal(random.randint(-1 << 65, 1 << 65)).scaleb(
        random.randint(-3, 3))]))
    line("trunc", bits(a), truncated(a))
for index in range(150):
    a = operand()
    line("double", bits(a), struct.pack(">d", float(a)).hex())
for index in range(200):
    value = double()
    if value == value:
        line("fromdouble", struct.pack(">d", value).hex(), bits(compared(value, 15)))
for index in range(100):
    value = struct.unpack(">f", random.randbytes(4))[0] if index % 2 else struct.unpack(
        ">f", struct.pack(">f", random.uniform(-1e9, 1e9)))[0]
    if value == value:
        line("fromfloat", struct.pack(">f", value).hex(), bits(compared(value, 7)))
