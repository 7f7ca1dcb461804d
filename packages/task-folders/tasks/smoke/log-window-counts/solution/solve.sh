#!/bin/bash
set -euo pipefail
export LC_ALL=C
echo 'day,level,entries' > counts.csv
grep -E '^[0-9]{4}-' service.txt | sed -E 's/^([0-9-]{10})T[^ ]* ([A-Z]+) .*/\1,\2/' |
  grep -E ',(ERROR|WARN)$' | sort | uniq -c | awk '{ print $2 "," $1 }' |
  awk -F, '$1 >= "2026-03-25" && $1 <= "2026-04-03"' >> counts.csv
