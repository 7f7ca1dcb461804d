#!/bin/bash
set -euo pipefail
export LC_ALL=C
cat > roman.sh <<'SCRIPT'
#!/bin/bash
sizes=(1000 900 500 400 100 90 50 40 10 9 5 4 1)
signs=(M CM D CD C XC L XL X IX V IV I)
to_roman() {
  local number=$1 i
  text=
  for i in "${!sizes[@]}"; do
    while [ "$number" -ge "${sizes[i]}" ]; do text+=${signs[i]}; number=$((number - sizes[i])); done
  done
}
to_decimal() {
  local rest=$1 i
  total=0
  for i in "${!sizes[@]}"; do
    while [[ $rest == "${signs[i]}"* ]]; do total=$((total + sizes[i])); rest=${rest#"${signs[i]}"}; done
  done
  to_roman "$total"
  [ -z "$rest" ] && [ "$text" = "$1" ] && [ "$total" -lt 4000 ]
}
while IFS= read -r word; do
  if [[ $word =~ ^[1-9][0-9]{0,3}$ ]] && [ "$word" -lt 4000 ]; then to_roman "$word"; echo "$text"
  elif [[ $word =~ ^[MDCLXVI]+$ ]] && to_decimal "$word"; then echo "$total"
  else echo '?'; fi
done
SCRIPT
