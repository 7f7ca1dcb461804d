#!/bin/bash
# Writes 1 or 0 into the reward file.
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
out=${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out"

# The text of a regular file of the working directory; links and pipes count as missing.
answer() {
  if [ -f "$1" ] && [ ! -L "$1" ]; then head -c 200000 "$1"; else echo "missing: $1"; fi
}

expected=$(
  echo 'id,name,city,phone'
  awk '
    FILENAME ~ /overrides/ { if ($0 ~ /^[ \t]*#/ || $0 !~ /=/) next
      key = $0; sub(/=.*/, "", key); gsub(/[ \t]/, "", key)
      text = $0; sub(/^[^=]*=/, "", text); sub(/^[ \t]+/, "", text); sub(/[ \t]+$/, "", text)
      split(key, part, "."); value[part[1], part[2]] = text; next }
    FNR == 1 { columns = split($0, name, ","); next }
    { cells = split($0, cell, ","); for (i = 1; i <= columns; i++) if (name[i] == "id") id = cell[i]
      seen[id] = 1
      for (i = 1; i <= columns; i++) if (value[id, name[i]] == "") value[id, name[i]] = cell[i] }
    END { for (id in seen) print id "," value[id, "name"] "," value[id, "city"] "," value[id, "phone"] }
  ' "$here/overrides.conf" "$here/crm.csv" "$here/web.csv" | sort -t, -k1,1n
)
actual=$(answer customers.csv)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
