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
  awk -F '\t' '!($1 in seen) { seen[$1] = 1; order[++count] = $1 }
    $2 == "ok" { last[$1] = $0 }
    END { for (i = 1; i <= count; i++) if (order[i] in last) print last[order[i]] }' "$here/readings.tsv"
)
actual=$(answer latest.tsv)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
