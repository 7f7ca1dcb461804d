#!/bin/bash
# Writes 1 or 0 into the reward file. All of it is a function, so that the answer's script cannot change what is still to be read.
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
out=${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out"

# The text of a regular file of the working directory; links and pipes count as missing.
answer() {
  if [ -f "$1" ] && [ ! -L "$1" ]; then head -c 200000 "$1"; else echo "missing: $1"; fi
}

convert() {
  awk '
    function roman(number,  text, i) {
      text = ""; for (i = 1; i <= 13; i++) while (number >= size[i]) { text = text sign[i]; number -= size[i] }
      return text }
    BEGIN { split("1000 900 500 400 100 90 50 40 10 9 5 4 1", size, " "); split("M CM D CD C XC L XL X IX V IV I", sign, " ")
      for (n = 1; n < 4000; n++) { known[n] = roman(n); known[known[n]] = n } }
    { if ($0 != "" && ($0 in known)) print known[$0]; else print "?" }' "$1"
}

# Pid and parent of all that runs.
processes() { cat /proc/[0-9]*/status 2> /dev/null | awk '/^Pid:/ { pid = $2 } /^PPid:/ { print pid, $2 }'; }

# Ends what the answer's script left running, so that nothing writes over the reward: what began after the list $1 was taken.
end_strays() {
  local left round
  for round in 1 2 3 4 5; do
    left=$({ echo "$1"; echo --; processes; } | awk -v root="$PPID" -v self="$$" '
      $1 == "--" { isNow = 1; next }
      !isNow { before[$1] = 1; next }
      { parent[$1] = $2 }
      END { for (one in parent) { for (at = one; at != root && at != self && (at in parent); at = parent[at]);
        if (at == root && one != root && !(one in before)) print one } }')
    if [ -z "$left" ]; then return; fi
    kill -STOP $left 2> /dev/null
    kill -KILL $left 2> /dev/null
  done
}

main() {
earlier=$(processes)
work=$(mktemp -d)
{ printf '%s\n' 1994 XLII 0 4000 007 IIII VX IC xiv '' 1 3999 MMMCMXCIX '12 ' '*' '1e3' 3888 MMMDCCCLXXXVIII LL CMC IVI
  for ((n = 13; n < 4000; n += 331)); do echo "$n"; done; echo MCDXLIV; echo DCLXVI; echo XCIX; } > "$work/words"
convert "$work/words" > "$work/expected"
answer roman.sh > "$work/roman.sh"
expected=$(cat "$work/expected")
actual=$(cd "$work" && timeout 30 env -i PATH="$PATH" bash ./roman.sh < words 2> /dev/null)
end_strays "$earlier"
rm -rf "$work"

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
}

main
exit
