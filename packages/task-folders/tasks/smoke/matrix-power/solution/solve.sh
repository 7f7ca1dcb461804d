#!/bin/bash
set -euo pipefail
export LC_ALL=C
rows=() size=0
while read -r -a row; do size=${#row[@]}; rows+=("${row[@]}"); done < matrix.txt
power=("${rows[@]}")
for step in 2 3 4 5 6 7; do
  next=()
  for ((i = 0; i < size; i++)); do
    for ((j = 0; j < size; j++)); do
      sum=0
      for ((k = 0; k < size; k++)); do sum=$((sum + power[i * size + k] * rows[k * size + j])); done
      next+=("$sum")
    done
  done
  power=("${next[@]}")
done
trace=0
for ((i = 0; i < size; i++)); do
  echo "${power[@]:i * size:size}"
  trace=$((trace + power[i * size + i]))
done > power.txt
minor() { # columns still free; expands along the row that their number gives
  local row=$((size - $#)) sign=1 total=0 column
  if [ $# = 0 ]; then echo 1; return; fi
  for column in "$@"; do
    local rest=() other
    for other in "$@"; do [ "$other" = "$column" ] || rest+=("$other"); done
    total=$((total + sign * rows[row * size + column] * $(minor ${rest[@]+"${rest[@]}"})))
    sign=$((-sign))
  done
  echo "$total"
}
{ echo "$trace"; minor $(seq 0 $((size - 1))); } > facts.txt
