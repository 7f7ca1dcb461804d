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
  awk -F, 'NR > 1 { units[$1] += $3; cents[$1] += $3 * int($4 * 100 + 0.5); allUnits += $3; allCents += $3 * int($4 * 100 + 0.5) }
    END { for (region in units) printf "%-10s%5d%12.2f\n", region, units[region], cents[region] / 100 | "sort"
      close("sort"); print "---------------------------"
      printf "%-10s%5d%12.2f\n", "TOTAL", allUnits, allCents / 100 }' "$here/sales.csv"
)
actual=$(answer report.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
