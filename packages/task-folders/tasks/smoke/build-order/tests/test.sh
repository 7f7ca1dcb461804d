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
  awk -F: '
    { name = $1; names[++count] = name; needs[name] = $2 }
    END {
      for (i = 1; i <= count; i++) for (j = i + 1; j <= count; j++) if (names[j] < names[i]) { t = names[i]; names[i] = names[j]; names[j] = t }
      do { moved = 0
        for (i = 1; i <= count && !moved; i++) { if (done[names[i]]) continue
          ready = 1; parts = split(needs[names[i]], part, " ")
          for (k = 1; k <= parts; k++) if (!done[part[k]]) ready = 0
          if (ready) { print names[i]; done[names[i]] = 1; moved = 1 } }
      } while (moved)
      print "--"
      for (i = 1; i <= count; i++) if (!done[names[i]]) print names[i]
    }' "$here/targets.txt"
)
actual=$(answer order.txt; echo --; answer stuck.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
