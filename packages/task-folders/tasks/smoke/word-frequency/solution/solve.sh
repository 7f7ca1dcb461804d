#!/bin/bash
set -euo pipefail
export LC_ALL=C
declare -A count
for word in $(tr '[:upper:]' '[:lower:]' < story.txt | grep -oE "[a-z]+('[a-z]+)*"); do
  case "$word" in a | and | in | of | on | the) ;; *) count[$word]=$((${count[$word]:-0} + 1)) ;; esac
done
for word in "${!count[@]}"; do echo "${count[$word]} $word"; done | sort -k1,1nr -k2,2 > all.tmp
head -n 12 all.tmp > top.txt
rm all.tmp
