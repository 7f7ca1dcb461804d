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
  awk '
    function determinant(size,  i, j, k, t, factor, sign, result) { sign = 1
      for (i = 1; i <= size; i++) { for (k = i; k <= size && d[k, i] == 0; k++) ; if (k > size) return 0
        if (k != i) { sign = -sign; for (j = 1; j <= size; j++) { t = d[i, j]; d[i, j] = d[k, j]; d[k, j] = t } }
        for (k = i + 1; k <= size; k++) { factor = d[k, i] / d[i, i]; for (j = i; j <= size; j++) d[k, j] -= factor * d[i, j] } }
      result = sign; for (i = 1; i <= size; i++) result *= d[i, i]; return result }
    { n = NF; for (j = 1; j <= NF; j++) m[NR, j] = p[NR, j] = d[NR, j] = $j }
    END { for (step = 2; step <= 7; step++) {
        for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) { q[i, j] = 0; for (k = 1; k <= n; k++) q[i, j] += p[i, k] * m[k, j] }
        for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) p[i, j] = q[i, j] }
      for (i = 1; i <= n; i++) { line = ""; for (j = 1; j <= n; j++) line = line (j > 1 ? " " : "") sprintf("%d", p[i, j]); print line; trace += p[i, i] }
      print "--"; printf "%d\n%.0f\n", trace, determinant(n) }' "$here/matrix.txt"
)
actual=$(answer power.txt; echo --; answer facts.txt)

if [ "$actual" = "$expected" ]; then reward=1; else reward=0; fi
printf "expected:\n%s\nactual:\n%s\n" "$expected" "$actual"
rm -rf "$out/reward.json"
echo "$reward" > "$out/reward.txt"
