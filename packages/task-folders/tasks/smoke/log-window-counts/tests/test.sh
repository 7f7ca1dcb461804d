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
  echo 'day,level,entries'
  awk '/^20/ { day = substr($1, 1, 10)
    if (day >= "2026-03-25" && day <= "2026-04-03" && ($2 == "ERROR" || $2 == "WARN")) count[day "," $2]++ }
    END { for (key in count) print key "," count[key] }' "$here/service.txt" | sort
)
actual=$(answer counts.csv)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
