#!/bin/bash
set -euo pipefail
export LC_ALL=C
for day in 2026-05-04 2026-05-05; do
  cursor=540
  while read -r begin end; do
    if [ $((begin - cursor)) -ge 50 ]; then break; fi
    if [ "$end" -gt "$cursor" ]; then cursor=$end; fi
  done < <(grep -h "^$day" calendars/*.txt | awk '{ split($2, p, /[:-]/); print p[1] * 60 + p[2], p[3] * 60 + p[4] }' | sort -n)
  if [ $((cursor + 50)) -le 1020 ]; then
    printf '%s %02d:%02d-%02d:%02d\n' "$day" $((cursor / 60)) $((cursor % 60)) $(((cursor + 50) / 60)) $(((cursor + 50) % 60)) > meeting.txt
    exit 0
  fi
done
