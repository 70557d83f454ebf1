"""The OpenAPI and AsyncAPI documents: the same bytes every time, and those in docs/ are up to date."""

import json

import pytest

from fullring.web.documents import documents
from tests.shared import PROJECT


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_the_document_in_docs_is_the_newest(name: str) -> None:
    assert (PROJECT / "docs" / name).read_text("utf-8") == documents()[name], "run `make docs`"


def test_documents_are_the_same_every_time() -> None:
    assert documents() == documents()


def test_every_call_says_that_it_may_answer_with_a_problem() -> None:
    document = json.loads(documents()["openapi.json"])
    calls = [call for methods in document["paths"].values() for call in methods.values()]

    assert all("application/problem+json" in call["responses"]["4XX"]["content"] for call in calls)
    assert "HTTPValidationError" not in document["components"]["schemas"]
    assert len({call["operationId"] for call in calls}) == len(calls)
