#!/bin/sh
# Builds both binaries into bin/ and writes their checksums. With --check it
# builds into a temporary folder and compares the bytes with those in bin/.
set -eu
cd "$(dirname "$0")"

build() { # into folder
  for arch in amd64 arm64; do
    CGO_ENABLED=0 GOOS=linux GOARCH=$arch GOAMD64=v1 GOARM64=v8.0 GOFLAGS= GOEXPERIMENT= \
      go build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' -o "$1/hermes-supervisor-linux-$arch" .
  done
  (cd "$1" && sha256sum hermes-supervisor-linux-amd64 hermes-supervisor-linux-arm64 >SHA256SUMS)
}

if [ "${1:-}" != --check ]; then
  mkdir -p bin
  build "$PWD/bin"
  exit 0
fi

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
build "$fresh"
for name in hermes-supervisor-linux-amd64 hermes-supervisor-linux-arm64 SHA256SUMS; do
  cmp "$fresh/$name" "bin/$name" || {
    echo "bin/$name does not match its source: run supervisor/build.sh and commit bin/" >&2
    exit 1
  }
done
