#!/bin/bash
set -euo pipefail
export LC_ALL=C
mkdir photos/.moving
: > skipped.tsv
number=0
while IFS=$'\t' read -r old new; do
  number=$((number + 1))
  if [ -f "photos/$old" ]; then mv "photos/$old" "photos/.moving/$number"
  else printf '%s\t%s\n' "$old" "$new" >> skipped.tsv; fi
done < plan.tsv
number=0
while IFS=$'\t' read -r old new; do
  number=$((number + 1))
  [ -f "photos/.moving/$number" ] || continue
  mkdir -p "photos/$(dirname -- "./$new")"
  mv "photos/.moving/$number" "photos/$new"
done < plan.tsv
rmdir photos/.moving
