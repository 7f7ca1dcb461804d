/**
 * $1: mark, $2: workdir, $3: the sandbox's folder, $4: boot, $5: ID; then the words of the supervisor, which this shell becomes. When
 * memory runs out the kernel shall end others first, which only root may ask for.
 */
export const START = `
cd "$2" || exit 1;
ticks=$(set -- $(sed "s/.*) //" "/proc/$$/stat" 2>/dev/null); echo "\${20}");
echo "$$ $ticks $4" > "$3.pid" || exit 1;
while read -r group; do echo $$ > "$group/cgroup.procs" || exit 1; done < "$3.groups" || exit 1;
{ echo -500 > /proc/self/oom_score_adj; } 2>/dev/null;
echo "$1 $$"; id=$5; shift 5;
exec env "HERMES_SANDBOX=$id" "$@"
`;

/** $1: mark; then the words of a program that joins the supervisor. */
export const JOIN = `
echo "$1"; shift;
exec "$@"
`;
