#!/bin/bash
# Writes 1 or 0 into the reward file.
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
out=${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out"

# The text of a regular file of the working directory; links and pipes count as missing.
answer() {
  if [ -f "$1" ] && [ ! -L "$1" ]; then head -c 200000 "$1"; else echo "missing: $1"; fi
}

expected=$(
  awk '/^\[/ { section = $0 }
    section == "[cache]" && /^port/ { print "port = 6380"; next }
    section == "[http]" && /^timeout/ { print "timeout = 45"; print "workers = 8"; next }
    section == "[database]" && (/^timeout/ || /^# timeout/) { next }
    { print }' "$here/server.ini"
)
actual=$(answer server.ini)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
