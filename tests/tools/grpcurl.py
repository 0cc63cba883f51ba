"""A stand-in for grpcurl where it is not installed: the flags that the README uses, by server reflection alone.

``grpcurl -plaintext -H 'name: value' -d JSON host:port package.Service/Method``. It knows no proto of ours.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase


def main() -> int:
    """Make one unary call and print the answer as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-plaintext", action="store_true", required=True)
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="data", default="{}")
    parser.add_argument("address")
    parser.add_argument("method")
    said = parser.parse_args()
    service, _, name = said.method.partition("/")
    with grpc.insecure_channel(said.address) as channel:
        pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
        method = pool.FindServiceByName(service).methods_by_name[name]
        request = json_format.Parse(said.data, GetMessageClass(method.input_type)())
        call: Any = channel.unary_unary(
            f"/{said.method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        headers = [tuple(part.strip() for part in header.split(":", 1)) for header in said.headers]
        try:
            answer = call(request, metadata=headers, timeout=30)
        except grpc.RpcError as error:
            sys.stderr.write(f"ERROR: {error.code()}: {error.details()}\n")
            return 64 + error.code().value[0]
    sys.stdout.write(json_format.MessageToJson(answer, descriptor_pool=pool) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
