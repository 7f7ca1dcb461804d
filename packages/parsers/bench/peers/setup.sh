#!/bin/sh
# Installs the peers of the benchmark into $HERMES_PEERS: needs cargo, npm and python3 with venv.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
peers=${HERMES_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/hermes-peers}

mkdir -p "$peers/tool-parser" "$peers/ai-sdk"
cp -r "$here/tool-parser/." "$peers/tool-parser/"
(cd "$peers/tool-parser" && cargo build --release --quiet)
npm install --prefix "$peers/ai-sdk" --no-save --silent @ai-sdk-tool/parser@4.1.26

# of SGLang only its Python files, and what they import; not torch
if [ ! -d "$peers/sglang/files" ]; then
  python3 -m venv "$peers/sglang/venv"
  pip="$peers/sglang/venv/bin/pip --quiet --disable-pip-version-check"
  $pip download --no-deps --dest "$peers/sglang/wheel" sglang==0.5.23
  $pip install anthropic aiohttp blake3 cachetools cbor2 cloudpickle fastapi ijson IPython jinja2 \
    jsonschema mcp'<3' mistral-common msgspec numpy openai openai-harmony orjson partial-json-parser \
    pillow prometheus_client psutil py-cpuinfo pybase64 pydantic python-multipart pyzmq regex \
    requests setproctitle tiktoken tokenizers tqdm transformers uvicorn xxhash zstandard
  python3 -m zipfile -e "$peers"/sglang/wheel/sglang-*.whl "$peers/sglang/unpacked"
  mkdir -p "$peers/sglang/files" && mv "$peers/sglang/unpacked/sglang" "$peers/sglang/files/sglang"
  rm -r "$peers/sglang/unpacked" "$peers/sglang/wheel"
fi
echo "the peers are in $peers"
