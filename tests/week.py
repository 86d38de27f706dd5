# SPDX-License-Identifier: BSD-3-Clause
"""Which cases of a long list a test takes this week: one in `one_of`, and after so many weeks it has taken
each.

The seed is that of the week, or ISP_TEST_SEED; whoever uses it prints it. With ISP_TEST_EVERYTHING, which
./dev test --all sets, every case is taken.
"""
import datetime
import os
import zlib


def everything():
    return bool(os.environ.get("ISP_TEST_EVERYTHING"))


def seed():
    """Grows by one each week, but for the turn of the year: 202648 is week 48 of 2026."""
    given = os.environ.get("ISP_TEST_SEED")
    if given:
        return int(given)
    year, week, _ = datetime.date.today().isocalendar()
    return year * 100 + week


def takes(name, one_of):
    """Whether it is the turn of the case with this name."""
    return everything() or (zlib.crc32(name.encode()) + seed()) % one_of == 0


def part(numbers, one_of):
    """Of a range of numbers of random cases, the piece whose turn it is."""
    if everything() or one_of == 1:
        return numbers
    length = -(-len(numbers) // one_of)
    at = seed() % one_of * length
    return numbers[at : at + length]


def told(taken, of):
    return f"{taken} of {of}, ISP_TEST_SEED={seed()}; all: ./dev test --all"
