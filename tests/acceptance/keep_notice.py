"""The program that a person had in `notify` before: keeps the last notice in a file.

keep_notice.py FILE NOTICE
"""

import sys
from pathlib import Path

Path(sys.argv[1]).write_text(sys.argv[2])
