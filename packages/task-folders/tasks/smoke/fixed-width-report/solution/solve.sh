#!/bin/bash
set -euo pipefail
export LC_ALL=C
row() { awk -F, -v region="$1" 'NR > 1 && (region == "TOTAL" || $1 == region) { units += $3; sum += $3 * $4 }
  END { printf "%-10s%5d%12.2f\n", region, units, sum }' sales.csv; }
tail -n +2 sales.csv | cut -d, -f1 | sort -u | while read -r region; do row "$region"; done > report.txt
printf '%027d\n' 0 | tr 0 - >> report.txt
row TOTAL >> report.txt
