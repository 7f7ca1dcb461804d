#!/bin/bash
set -euo pipefail
export LC_ALL=C
# Lengths in ten-thousandths of a millimetre, so that whole numbers do.
units() {
  local sign='' text=$1 whole fraction
  case "$text" in -*) sign=- text=${text#-} ;; esac
  whole=${text%%.*} fraction=0000
  case "$text" in *.*) fraction=${text#*.}0000 ;; esac
  echo $((${sign}1 * (10#${whole:-0} * 10000 + 10#${fraction:0:4})))
}
declare -A at=([X]=0 [Y]=0 [Z]=0) low high
mode=G0 relative=0 inches=0
touch_box() {
  local axis
  for axis in X Y Z; do
    [ "${at[$axis]}" -ge "${low[$axis]:-999999999}" ] || low[$axis]=${at[$axis]}
    [ "${at[$axis]}" -le "${high[$axis]:--999999999}" ] || high[$axis]=${at[$axis]}
  done
}
while read -r line; do
  moves=()
  for word in $line; do
    case "$word" in
      G0 | G1) mode=$word ;;
      G90) relative=0 ;;
      G91) relative=1 ;;
      G20) inches=1 ;;
      G21) inches=0 ;;
      [XYZ]*) moves+=("$word") ;;
    esac
  done
  [ ${#moves[@]} -gt 0 ] || continue
  [ $mode = G0 ] || touch_box
  for word in "${moves[@]}"; do
    axis=${word:0:1} length=$(units "${word:1}")
    [ $inches = 0 ] || length=$((length * 254 / 10))
    at[$axis]=$((relative * at[$axis] + length))
  done
  [ $mode = G0 ] || touch_box
done < <(sed -E 's/;.*//; s/\([^)]*\)/ /g' part.gcode)
for axis in X Y Z; do
  echo "$axis ${low[$axis]} ${high[$axis]}" | awk '{ printf "%s %.3f %.3f\n", $1, $2 / 10000, $3 / 10000 }'
done > box.txt
