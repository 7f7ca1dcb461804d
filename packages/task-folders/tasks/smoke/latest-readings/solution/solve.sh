#!/bin/bash
set -euo pipefail
export LC_ALL=C
declare -A last
order=()
while IFS=$'\t' read -r sensor status value; do
  [ -n "${last[$sensor]+seen}" ] || { order+=("$sensor"); last[$sensor]=; }
  [ "$status" != ok ] || last[$sensor]=$(printf '%s\t%s\t%s' "$sensor" "$status" "$value")
done < readings.tsv
for sensor in "${order[@]}"; do
  [ -z "${last[$sensor]}" ] || printf '%s\n' "${last[$sensor]}"
done > latest.tsv
