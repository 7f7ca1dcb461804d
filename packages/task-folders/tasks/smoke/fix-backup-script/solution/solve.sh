#!/bin/bash
set -euo pipefail
export LC_ALL=C
cat > backup.sh <<'SCRIPT'
#!/bin/bash
# Usage: backup.sh SOURCE TARGET
# Copies every .txt file directly below SOURCE to TARGET (made if needed), adds ".bak" to its name,
# and prints "copied N" with the number of copies. Without a SOURCE folder: message on stderr, exit code 2.

source=$1
target=$2
count=0

if [ ! -d "$source" ]; then
  echo "no such folder: $source" >&2
  exit 2
fi

mkdir -p -- "$target"
for file in "$source"/*.txt; do
  [ -f "$file" ] || continue
  cp -- "$file" "$target/${file##*/}.bak"
  count=$((count + 1))
done

echo "copied $count"
SCRIPT
