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
  tr 'A-Z' 'a-z' < "$here/story.txt" | tr -c "a-z'\n" '\n' | sed "s/^'*//; s/'*$//" | grep . |
    awk '$0 !~ /^(a|and|in|of|on|the)$/ { count[$0]++ } END { for (word in count) print count[word], word }' |
    sort -k1,1nr -k2,2 | head -n 12
)
actual=$(answer top.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
