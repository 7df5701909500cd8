"""Bad input that only the device can see: kernels write a number into the device's cell, a wait turns it into the exception."""

_table = [None]  # number -> (exception class, sentence)
_bases = {}


def register(errors):
    """Number of the first of a row's errors; the rest follow."""
    key = tuple(errors)
    if key not in _bases:
        _bases[key] = len(_table)
        _table.extend(key)
    return _bases[key]


def check(device):
    """Raise what kernels of this device reported, once."""
    cell = device.cell
    number = int(cell[0])
    if number:
        cell[0] = 0
        kind, sentence = _table[number]
        raise kind(sentence)


class CompileError(RuntimeError):
    """A kernel did not compile. `log` is what the compiler printed."""

    def __init__(self, message, log=""):
        super().__init__(f"{message}\n{log}" if log else message)
        self.log = log
