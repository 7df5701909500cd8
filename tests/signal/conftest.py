import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import signal_helpers

START = signal_helpers.RNG.bit_generator.state


@pytest.fixture(autouse=True)
def same_numbers_in_any_order():
    signal_helpers.RNG.bit_generator.state = START
