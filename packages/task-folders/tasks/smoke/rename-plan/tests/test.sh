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

list() { (cd "$1" 2> /dev/null && for file in * */* .[!.]*; do [ -f "./$file" ] && [ ! -L "./$file" ] && echo "$file: $(cat "./$file")"; done; for dir in */; do [ -d "./$dir" ] && echo "$dir"; done) | sort; }
work=$(mktemp -d)
cp -r "$here/data/photos" "$work/before"
mkdir "$work/after"
while IFS=$'\t' read -r old new; do
  if [ -f "$work/before/$old" ]; then
    case "$new" in */*) mkdir -p "$work/after/${new%/*}" ;; esac
    mv "$work/before/$old" "$work/after/$new"
  else printf '%s\t%s\n' "$old" "$new" >> "$work/skipped"; fi
done < "$here/data/plan.tsv"
for file in "$work"/before/*; do mv "$file" "$work/after/"; done
expected=$(list "$work/after"; echo --; cat "$work/skipped")
actual=$(list photos; echo --; answer skipped.tsv)
rm -rf "$work"

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
