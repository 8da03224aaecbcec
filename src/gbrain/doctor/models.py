"""The notice about models: what works without one, and what one would add."""

from gbrain.doctor.frame import Finding, Patient, check


@check("keyless", "What works without a key, and what a model would add", category="meta")
def keyless(patient: Patient) -> Finding:
    """A brain without any key or model is complete; this says what one would add."""
    return Finding(
        "ok",
        "no key and no model is set up, and none is needed: nothing is missing",
        None,
        (
            "Without one: remember, recall, entity, search, context-pack and delta work, by names and words.",
            "A language model would add: synthesize (until then it answers `unavailable`).",
            "An embedding model would add: finding text by meaning when it shares no word with the question.",
        ),
    )
