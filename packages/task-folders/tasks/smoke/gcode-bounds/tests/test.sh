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
  awk '
    function touch(i) { for (i = 1; i <= 3; i++) { if (!started || at[i] < low[i]) low[i] = at[i]; if (!started || at[i] > high[i]) high[i] = at[i] } started = 1 }
    BEGIN { axis["X"] = 1; axis["Y"] = 2; axis["Z"] = 3; at[1] = at[2] = at[3] = 0; unit = 1; mode = "G0"; relative = 0 }
    { sub(/;.*/, ""); gsub(/\([^)]*\)/, " "); moved = 0
      for (f = 1; f <= NF; f++) {
        if ($f == "G0" || $f == "G1") mode = $f
        else if ($f == "G90") relative = 0
        else if ($f == "G91") relative = 1
        else if ($f == "G20") unit = 25.4
        else if ($f == "G21") unit = 1
        else if (substr($f, 1, 1) in axis) moved = 1 }
      if (!moved) next
      if (mode == "G1") touch()
      for (f = 1; f <= NF; f++) { letter = substr($f, 1, 1); if (letter in axis) { i = axis[letter]; length_mm = substr($f, 2) * unit; at[i] = relative ? at[i] + length_mm : length_mm } }
      if (mode == "G1") touch() }
    END { split("X Y Z", name, " "); for (i = 1; i <= 3; i++) printf "%s %.3f %.3f\n", name[i], low[i], high[i] }' "$here/part.gcode"
)
actual=$(answer box.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
