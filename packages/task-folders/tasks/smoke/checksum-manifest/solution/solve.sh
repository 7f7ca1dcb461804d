#!/bin/bash
set -euo pipefail
export LC_ALL=C
shopt -s globstar
cd delivery
{
  sha256sum -c ../SHA256SUMS 2> /dev/null | sed -n -E 's/^(.*): FAILED$/\1\tchanged/p; s/^(.*): FAILED open or read$/\1\tmissing/p' || true
  for path in **; do
    if [ -f "$path" ] && ! cut -c67- ../SHA256SUMS | grep -qxF -- "$path"; then printf '%s\textra\n' "$path"; fi
  done
} | sort | awk -F '\t' '{ print $2 " " $1 }' > ../problems.txt
