"""Reads the JSON body of an OTLP request with the protocol's own message types: BODY -> one JSON object of plain values."""

import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

request = json_format.Parse(sys.argv[1], ExportMetricsServiceRequest())
(resource,) = request.resource_metrics
(scope,) = resource.scope_metrics
points = {
    metric.name: [[point.time_unix_nano, point.as_double] for point in metric.gauge.data_points]
    for metric in scope.metrics
}
attributes = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
print(json.dumps({"attributes": attributes, "points": points}))
