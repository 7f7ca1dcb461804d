#!/bin/sh
# Installs the peers of the benchmark into $HERMES_PEERS: needs cargo and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
peers=${HERMES_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/hermes-peers}

mkdir -p "$peers/tool-parser" "$peers/ai-sdk"
cp -r "$here/tool-parser/." "$peers/tool-parser/"
(cd "$peers/tool-parser" && cargo build --release --quiet)
npm install --prefix "$peers/ai-sdk" --no-save --silent @ai-sdk-tool/parser@4.1.26
echo "the peers are in $peers"
