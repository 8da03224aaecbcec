"""numpy, loaded the way every part of gbrain wants it; import this module where arrays are first needed, never before.

Left alone, the linear algebra beneath it starts a thread a core, which costs 70 ms and buys vectors of this size
nothing. The variables count only before the first import.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402 - the threads are set above
from numpy.typing import NDArray  # noqa: E402

Vectors = NDArray[np.float32]
"""One vector a row, each of length 1."""

Vector = NDArray[np.float32]
"""One vector of length 1."""

__all__ = ["NDArray", "Vector", "Vectors", "np"]
