"""The client of openapi-python-client, as the package `gradient`, called on a running service."""

import json
import sys

from gradient import Client
from gradient.api.gradients import differentiate, differentiate_batch, differentiate_by_query
from gradient.models import (
    Batch,
    DifferentiateByQueryVariables,
    Document,
    Problem,
    Request,
    RequestValues,
)

VALUES = {"a": 2, "b": -3, "c": 10}
SUM = Request("(a + b) * c", RequestValues.from_dict(VALUES))

with Client(sys.argv[1], raise_on_unexpected_status=True) as client:
    posted = differentiate.sync(client=client, body=SUM)
    assert isinstance(posted, Document)
    print(json.dumps(posted.gradients.to_dict()))

    variables = DifferentiateByQueryVariables.from_dict(VALUES)
    got = differentiate_by_query.sync(client=client, expression=SUM.expression, variables=variables)
    assert isinstance(got, Document)
    print(json.dumps(got.gradients.to_dict()))

    refused = differentiate.sync(
        client=client, body=Request("2x", RequestValues.from_dict({"x": 1}))
    )
    assert isinstance(refused, Problem)
    print(refused.code, json.dumps(refused.span.to_dict()))

    batch = differentiate_batch.sync(client=client, body=Batch([SUM, {"expression": 5}]))
    for result in batch.results:
        print(
            json.dumps(result.gradients.to_dict()) if isinstance(result, Document) else result.code
        )
