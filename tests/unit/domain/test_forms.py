from gbrain.domain.forms import base_form, irregular


def test_irregular_forms_lead_to_their_word():
    assert [base_form(word) for word in ("went", "bought", "children", "women", "written")] == [
        "go",
        "buy",
        "child",
        "woman",
        "write",
    ]
    assert base_form("lantern") == "lantern"


def test_no_form_leads_to_another_form():
    forms = irregular()
    assert not {word for word in forms.values() if word in forms}
