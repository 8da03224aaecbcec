"""What was measured of the original system, beside which the figures of `gbrain bench all` stand.

Its version 0.46.28 on the machine and the data of these benches: whole processes, wall time unless a figure says CPU.
"""

ORIGINALS: dict[tuple[str, str], str] = {
    ("operation", "entity, found"): "p99 100 ms on 2,000 pages",
    ("operation", "recall by entity"): "p50 6.4, p99 25 ms",
    ("operation", "remember"): "p50 4.5 ms",
    ("search", "with vectors"): "85 ms, 410 MB on 2,000 pages",
    ("command", "gbrain remember"): "1.3 s",
    ("command", "gbrain recall"): "1.3 s",
    ("command", "gbrain entity"): "1.3 s",
    ("command", "init"): "9.4 s",
    ("server", "spawn to tools/list"): "1.5 s",
    ("server", "memory after 1,000 calls"): "313 MB",
    ("disk", "an empty brain"): "42 MB",
    ("disk", "2,000 pages"): "76 MB",
    ("folder", "2,000 new files"): "38 s CPU",
    ("many processes", "remember"): "a second process is refused",
    ("retrieval, with vectors", "locomo sessions"): "59.8 / 63.5",
    ("retrieval, no vectors", "locomo sessions"): "65.1 / 68.4",
    ("retrieval, with vectors", "world_relational"): "74.8, MRR 55, P@5 21.4",
    ("retrieval, with vectors", "world_conceptual"): "76 / 80",
    ("retrieval, no vectors", "world_conceptual"): "66 / 68",
}
"""By the group and the name of a figure; what is not here was not measured, or has no like there."""
