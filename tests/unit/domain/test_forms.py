from gbrain.domain.forms import irregular


def test_irregular_forms_lead_to_their_word():
    forms = irregular()
    found = [forms[word] for word in ("went", "bought", "children", "women", "written")]
    assert found == ["go", "buy", "child", "woman", "write"]
    assert "lantern" not in forms


def test_no_form_leads_to_another_form():
    forms = irregular()
    assert not {word for word in forms.values() if word in forms}
