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

cd "$here/data/delivery" || exit 1
expected=$(
  { while IFS= read -r line; do
      sum=${line%% *}; path=${line#*  }
      if [ ! -f "$path" ]; then echo "$path/missing"
      elif [ "$(sha256sum < "$path")" != "$sum  -" ]; then echo "$path/changed"; fi
    done < ../SHA256SUMS
    for path in * */*; do
      [ -f "$path" ] && ! cut -c67- ../SHA256SUMS | grep -qxF -- "$path" && echo "$path/extra"
    done
  } | sort | sed -E 's,^(.*)/([a-z]+)$,\2 \1,'
)
cd "$OLDPWD" || exit 1
actual=$(answer problems.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
