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

reference() {
  awk '
    function value(name,  a, b) {
      if (name in bit) return bit[name]
      a = value(left[name]); b = kind[name] == "NOT" ? 0 : value(right[name])
      if (kind[name] == "AND") a = a && b
      else if (kind[name] == "OR") a = a || b
      else if (kind[name] == "XOR") a = a != b
      else if (kind[name] == "NAND") a = !(a && b)
      else if (kind[name] == "NOR") a = !(a || b)
      else a = !a
      return bit[name] = a + 0 }
    /^#/ || NF == 0 { next }
    FILENAME == ARGV[1] && $1 == "in" { inputs = NF - 1; for (i = 2; i <= NF; i++) input[i - 1] = $i; next }
    FILENAME == ARGV[1] && $1 == "out" { outputs = NF - 1; for (i = 2; i <= NF; i++) output[i - 1] = $i; next }
    FILENAME == ARGV[1] { kind[$1] = $3; left[$1] = $4; right[$1] = $5; next }
    { for (name in bit) delete bit[name]
      for (i = 1; i <= inputs; i++) bit[input[i]] = substr($1, i, 1) + 0
      line = ""; for (i = 1; i <= outputs; i++) line = line value(output[i]); print line }' "$1" "$2"
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
cp "$here/adder.gates" "$here/inputs.txt" "$here/hidden.gates" "$here/hidden.txt" "$work"
answer simulate.sh > "$work/simulate.sh"
run() { (cd "$work" && timeout 20 env -i PATH="$PATH" bash ./simulate.sh "$1" "$2" 2> /dev/null); }
expected=$(reference "$here/adder.gates" "$here/inputs.txt"; echo --; reference "$here/adder.gates" "$here/inputs.txt"; echo --; reference "$here/hidden.gates" "$here/hidden.txt")
actual=$(answer outputs.txt; echo --; run adder.gates inputs.txt; echo --; run hidden.gates hidden.txt)
end_strays "$earlier"
rm -rf "$work"

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
}

main
exit
