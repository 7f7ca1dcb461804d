#!/bin/bash
set -euo pipefail
export LC_ALL=C
declare -A value known
while IFS= read -r line; do
  case "$line" in \#* | '') continue ;; esac
  key=$(echo "${line%%=*}" | tr -d ' \t')
  value[$key]=$(echo "${line#*=}" | sed -E 's/^[[:space:]]+//; s/[[:space:]]+$//')
done < overrides.conf
for file in crm.csv web.csv; do
  IFS=, read -r -a names < "$file"
  while IFS=, read -r -a cells; do
    for i in "${!names[@]}"; do [ "${names[i]}" = id ] && id=${cells[i]}; done
    known[$id]=1
    for i in "${!names[@]}"; do
      key="$id.${names[i]}"
      [ -n "${value[$key]:-}" ] || value[$key]=${cells[i]:-}
    done
  done < <(tail -n +2 "$file")
done
echo 'id,name,city,phone' > customers.csv
for id in $(printf '%s\n' "${!known[@]}" | sort -n); do
  echo "$id,${value[$id.name]:-},${value[$id.city]:-},${value[$id.phone]:-}" >> customers.csv
done
