#!/bin/bash
set -euo pipefail
export LC_ALL=C
sed 's/:/ /' targets.txt | sort > left.tmp
: > order.txt
while next=$(awk 'FILENAME == "order.txt" { done[$1] = 1; next }
    { for (i = 2; i <= NF; i++) if (!($i in done)) next; print $1; exit }' order.txt left.tmp) && [ -n "$next" ]; do
  echo "$next" >> order.txt
  grep -v "^$next\( \|$\)" left.tmp > rest.tmp || true
  mv rest.tmp left.tmp
done
cut -d' ' -f1 left.tmp > stuck.txt
rm left.tmp
