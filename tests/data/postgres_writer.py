"""One of several writers of a brain: saves facts and pages until its stdin ends, and says each that was confirmed."""

import os
import sys
import threading

from gbrain import open_brain

name, home = sys.argv[1], sys.argv[2]
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
with open_brain(home) as brain:
    number = 0
    while not ended.is_set():
        number += 1
        # A claim of its own each time, so that none repeats or replaces another.
        fact = f"{name}{number} keeps parcel {os.urandom(8).hex()}"
        reply = brain.remember(fact=fact, provenance="load", entity=f"shelf/{name}-{number}")
        print("fact", reply["id"], reply["status"], fact, flush=True)
        if number % 5 == 0:
            page = brain.put_page(slug=f"notes/{name}-{number}", content=f"# {fact}\n\n{fact}\n")
            print("page", page["version"], page["status"], fact, flush=True)
