"""A service with every kind of HTTP rule, also those that GameService does not use (yet)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from google.api import annotations_pb2  # type: ignore[import-untyped]
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor

PROTO = """
syntax = "proto3";
package rookery.test.v1;
import "google/api/annotations.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

service Example {
  rpc Plain(Request) returns (Reply) {
    option (google.api.http) = {
      get: "/v1/{name=games/*}"
      additional_bindings {post: "/v1/old/{name=**}" body: "*"}
      additional_bindings {custom: {kind: "PURGE" path: "/v1/{name=games/*}"}}
    };
  }
  rpc Verb(Request) returns (Reply) {
    option (google.api.http) = {post: "/v1/{name=games/*}:verb" body: "inner"};
  }
  rpc Seat(Request) returns (Reply) {
    option (google.api.http) = {post: "/v1/{name=games/*}/seats/{seat}:setController" body: "*"};
  }
  rpc Nested(Request) returns (Reply) {
    option (google.api.http) = {get: "/v1/games/*/inner/{inner.text}"};
  }
  rpc Watch(Request) returns (stream Reply) {
    option (google.api.http) = {get: "/v1/{name=games/*}:watch"};
  }
  rpc Hidden(Request) returns (Reply) {}
}

enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; COLOUR_BLUE = 2; }

message Inner {
  string text = 1;
  repeated int32 numbers = 2;
  Inner inner = 3;
}

message Reply { string text = 1; }

message Request {
  string name = 1;
  int32 seat = 2;
  Inner inner = 3;
  optional int32 maybe = 4;
  int64 wide = 5;
  uint64 huge = 6;
  uint32 natural = 7;
  sint64 signed = 8;
  fixed32 fixed = 9;
  double real = 10;
  float small = 11;
  bool flag = 12;
  bytes data = 13;
  Colour colour = 14;
  repeated Colour colours = 15;
  repeated string texts = 16;
  repeated Inner inners = 17;
  map<string, int32> by_name = 18;
  map<int32, Inner> by_number = 19;
  map<bool, Colour> by_flag = 20;
  map<int64, bytes> by_wide = 21;
  oneof choice { string left = 22; Inner right = 23; int64 third = 24; }
  google.protobuf.Timestamp time = 25;
  google.protobuf.Duration wait = 26;
  google.protobuf.Struct free = 27;
  google.protobuf.Value any = 28;
  google.protobuf.ListValue list = 29;
  repeated google.protobuf.Value values = 30;
  google.protobuf.FieldMask mask = 31;
  google.protobuf.Int32Value boxed = 32;
  repeated double reals = 33;
  repeated google.protobuf.Timestamp times = 34;
  repeated bytes datas = 35;
  map<string, google.protobuf.Duration> waits = 36;
  optional string maybe_text = 37;
  optional Colour maybe_colour = 38;
  string odd_name = 39 [json_name = "veryOdd"];
}
"""


@cache
def example() -> ServiceDescriptor:
    """The service, compiled on the spot."""
    assert annotations_pb2  # its extension must be known before options are read
    google = Path(str(annotations_pb2.__file__)).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "rookery_example.proto").write_text(PROTO, encoding="utf-8")
        out = Path(folder, "set.binpb")
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", f"-I{google}"]
        subprocess.run([*command, f"--descriptor_set_out={out}", "rookery_example.proto"], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    pool = descriptor_pool.Default()
    for imported in ("field_mask", "wrappers", "duration", "struct", "timestamp"):
        __import__(f"google.protobuf.{imported}_pb2")
    pool.AddSerializedFile(files.file[0].SerializeToString())
    return pool.FindServiceByName("rookery.test.v1.Example")
