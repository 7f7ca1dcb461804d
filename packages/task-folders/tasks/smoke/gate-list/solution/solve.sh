#!/bin/bash
set -euo pipefail
export LC_ALL=C
cat > simulate.sh <<'SCRIPT'
#!/bin/bash
declare -A kind left right bit
while read -r name second third fourth fifth; do
  case "$name" in
    '#'* | '') ;;
    in) inputs=($second $third $fourth $fifth) ;;
    out) outputs=($second $third $fourth $fifth) ;;
    *) kind[$name]=$third left[$name]=$fourth right[$name]=$fifth ;;
  esac
done < <(sed 's/[[:space:]]*$//' "$1")
evaluate() {
  [ -z "${bit[$1]:-}" ] || return 0
  local a b=0
  evaluate "${left[$1]}"
  a=${bit[${left[$1]}]}
  if [ "${kind[$1]}" != NOT ]; then evaluate "${right[$1]}"; b=${bit[${right[$1]}]}; fi
  case "${kind[$1]}" in
    AND) bit[$1]=$((a & b)) ;;
    OR) bit[$1]=$((a | b)) ;;
    XOR) bit[$1]=$((a ^ b)) ;;
    NAND) bit[$1]=$((1 - (a & b))) ;;
    NOR) bit[$1]=$((1 - (a | b))) ;;
    NOT) bit[$1]=$((1 - a)) ;;
  esac
}
while read -r word; do
  bit=()
  for i in "${!inputs[@]}"; do bit[${inputs[i]}]=${word:i:1}; done
  line=
  for name in "${outputs[@]}"; do evaluate "$name"; line+=${bit[$name]}; done
  echo "$line"
done < "$2"
SCRIPT
bash simulate.sh adder.gates inputs.txt > outputs.txt
