/** Sets \`pid\` to the supervisor that runs; $1: ROOT, $2: ID, $3: boot. Its number alone could be another process's by now. */
export const FIND_SUPERVISOR = `
find_supervisor() {
  read -r pid ticks boot < "$1/$2.pid" || return
  kill -0 "$pid" || return
  [ -n "$ticks" ] || return 0
  [ "$boot" = "$3" ] || return
  set -- $(sed 's/.*) //' "/proc/$pid/stat")
  [ "$1" != Z ] && [ "\${20}" = "$ticks" ]
}
`;

/** $1: ROOT, $2: ID, $3: boot. Prints the record and the supervisor's pid; fails when it does not run. */
export const FIND: string = `${FIND_SUPERVISOR}
find_supervisor "$@" </dev/null 2>/dev/null && cat "$1/$2.json" && echo "$pid"
`;

/** $1: ROOT. One record a line. */
export const LIST = `
for file in "$1"/hermes-*.json; do [ -f "$file" ] && cat "$file"; done </dev/null 2>/dev/null; true
`;
