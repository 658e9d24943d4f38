"""The client of openapi-python-client, as the package `gradient`, called on a running service."""

import json
import sys

from gradient import Client
from gradient.api.gradients import differentiate, differentiate_batch, differentiate_by_query
from gradient.models import (
    Batch,
    GradientDocument,
    GradientRequest,
    GradientRequestValues,
    Problem,
)

VALUES = {"a": 2, "b": -3, "c": 10}
SUM = GradientRequest("(a + b) * c", GradientRequestValues.from_dict(VALUES))

with Client(sys.argv[1], raise_on_unexpected_status=True) as client:
    posted = differentiate.sync(client=client, body=SUM)
    assert isinstance(posted, GradientDocument)
    print(json.dumps(posted.gradients.to_dict()))

    values = json.dumps(VALUES)
    got = differentiate_by_query.sync(client=client, expression=SUM.expression, values=values)
    assert isinstance(got, GradientDocument)
    print(json.dumps(got.gradients.to_dict()))

    wrong = GradientRequest("2x", GradientRequestValues.from_dict({"x": 1}))
    refused = differentiate.sync(client=client, body=wrong)
    assert isinstance(refused, Problem)
    print(refused.code, json.dumps(refused.span.to_dict()))

    batch = differentiate_batch.sync(client=client, body=Batch([SUM, wrong]))
    for result in batch.results:
        is_document = isinstance(result, GradientDocument)
        print(json.dumps(result.gradients.to_dict()) if is_document else result.code)
