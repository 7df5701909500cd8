"""The regions and errors of special_accuracy.py are imported by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
