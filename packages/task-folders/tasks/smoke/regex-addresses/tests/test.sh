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
  tr -c '0-9A-Za-z.\n' '\n' < "$here/firewall.txt" | sed 's/\.*$//' | awk -F. '
    NF == 4 { good = 1
      for (i = 1; i <= 4; i++) if ($i !~ /^[0-9]+$/ || length($i) > 3 || $i + 0 > 255 || ($i ~ /^0/ && length($i) > 1)) good = 0
      if (good) print }' | sort -u | sort -t. -k1,1n -k2,2n -k3,3n -k4,4n
)
actual=$(answer addresses.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
