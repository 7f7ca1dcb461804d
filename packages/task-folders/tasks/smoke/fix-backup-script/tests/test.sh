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
answer backup.sh > "$work/script.sh"
chmod 755 "$work/script.sh" 2> /dev/null
mkdir -p "$work/in put" "$work/empty" "$work/-dash" "$work/in put/folder.txt"
echo one > "$work/in put/a  b.txt"
echo two > "$work/in put/-n.txt"
echo three > "$work/in put/*.txt"
echo hidden > "$work/in put/.hidden.txt"
echo log > "$work/in put/x.log"
echo dash > "$work/-dash/d.txt"
run() { (cd "$work" && timeout 10 env -i PATH="$PATH" bash ./script.sh "$@" 2> err; echo "code $?"; [ -s err ] && echo 'said why'; rm -f err); }
listing() { (cd "$work/$1" 2> /dev/null && for file in * .[!.]*; do [ -f "$file" ] && echo "$file=$(cat -- "$file")"; done); }
actual=$(
  run 'in put' 'out put/deep'; listing 'out put/deep'
  run 'in put' 'out put/deep'; listing 'out put/deep'
  run empty made; [ -d "$work/made" ] && echo 'made is there'; listing made
  run -dash -out; listing -out
  run absent other; [ -e "$work/other" ] && echo 'other is there'
)
expected="copied 3
code 0
*.txt.bak=three
-n.txt.bak=two
a  b.txt.bak=one
copied 3
code 0
*.txt.bak=three
-n.txt.bak=two
a  b.txt.bak=one
copied 0
code 0
made is there
copied 1
code 0
d.txt.bak=dash
code 2
said why"
end_strays "$earlier"
rm -rf "$work"

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
}

main
exit
