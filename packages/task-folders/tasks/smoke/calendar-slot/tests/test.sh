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
  cat "$here"/calendars/*.txt | awk '
    function minutes(clock) { return substr(clock, 1, 2) * 60 + substr(clock, 4, 2) }
    { count++; day[count] = $1; begin[count] = minutes(substr($2, 1, 5)); finish[count] = minutes(substr($2, 7, 5)) }
    END { split("2026-05-04 2026-05-05", days, " ")
      for (d = 1; d <= 2; d++) for (t = 540; t + 50 <= 1020; t++) {
        free = 1
        for (i = 1; i <= count; i++) if (day[i] == days[d] && begin[i] < t + 50 && finish[i] > t) free = 0
        if (free) { printf "%s %02d:%02d-%02d:%02d\n", days[d], t / 60, t % 60, (t + 50) / 60, (t + 50) % 60; exit }
      } }'
)
actual=$(answer meeting.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
