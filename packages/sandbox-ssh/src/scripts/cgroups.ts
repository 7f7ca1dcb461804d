/**
 * Prints where the account may make control groups: "version N", then "CONTROLLER FOLDER". It proves each by making a group, moving
 * a process into it and removing it again: below its own group (limits around it go on to hold), beside it, below the root.
 * $1: where the control groups are mounted.
 */
export const PROBE_CGROUPS = `
own_group() {
  while IFS=: read -r _ names path; do
    case ,$names, in *,"$1",*) echo "$path"; return ;; esac
  done < /proc/self/cgroup
}
# $1: the mount, $2: the controller, empty with version 2.
parents() {
  own=$(own_group "$2")
  own=\${own%/}
  if [ -n "$own" ]; then printf '%s\\n' "$1$own" "$1\${own%/*}"; fi
  echo "$1"
}
remove_group() {
  tries=0
  until rmdir "$1" 2>/dev/null || [ ! -d "$1" ]; do
    [ "$tries" -lt 100 ] || return
    tries=$((tries + 1))
    sleep 0.02 2>/dev/null || sleep 1
  done
}
# In a folder that is none of the kernel's the file is absent, and the shell would make it.
try_group() {
  { [ -w "$1/cgroup.procs" ] && [ -r "$1/$2" ] && sh -c 'echo $$ > "$1"' sh "$1/cgroup.procs"; } 2>/dev/null
}
# $1: the parent, $2: a file that shows the controller.
works() {
  probe=$1/hermes-probe-$$
  # One of a process that was killed in the middle may have the same name.
  rmdir "$probe" 2>/dev/null
  mkdir "$probe" 2>/dev/null || return
  try_group "$probe" "$2"
  worked=$?
  remove_group "$probe"
  return $worked
}
probe_one() {
  echo 'version 1'
  for pair in memory:memory.limit_in_bytes cpu:cpu.cfs_quota_us cpuacct:cpuacct.usage pids:pids.max; do
    parents "$top/\${pair%%:*}" "\${pair%%:*}" | while read -r parent; do
      if works "$parent" "\${pair#*:}"; then echo "\${pair%%:*} $parent"; break; fi
    done
  done
}
# Processor time is counted everywhere, limits are not: the place with the most controllers wins.
probe_two() {
  echo 'version 2'
  parents "$top" '' | {
    best=0 found=
    while read -r parent; do
      for name in memory cpu pids; do { echo "+$name" > "$parent/cgroup.subtree_control"; } 2>/dev/null; done
      count=0 here=
      for pair in memory:memory.max cpu:cpu.max cpuacct:cpu.stat pids:pids.max; do
        works "$parent" "\${pair#*:}" || continue
        count=$((count + 1))
        here="$here\${pair%%:*} $parent
"
      done
      if [ "$count" -gt "$best" ]; then best=$count found=$here; fi
    done
    printf '%s' "$found"
  }
}
probe_cgroups() {
  top=$1
  if [ -f "$top/cgroup.controllers" ]; then probe_two; else probe_one; fi
}
probe_cgroups "$@" </dev/null
`;

/** $1: version, $2: group that counts processor time or nothing, $3: group of memory or nothing. Prints "NAME NUMBER" for what can be read. */
export const READ_CGROUP_USAGE = `
# $1: what it is, $2: a control file, $3: the word before the number, or nothing.
tell() {
  [ -r "$2" ] || return 0
  while read -r word number; do
    if [ -z "$3" ]; then echo "$1 $word"; return; fi
    if [ "$word" = "$3" ]; then echo "$1 $number"; return; fi
  done < "$2"
}
read_usage() {
  if [ "$1" = 1 ]; then
    tell cpuNs "$2/cpuacct.usage" ''
    tell peakMemoryBytes "$3/memory.max_usage_in_bytes" ''
    tell oomKills "$3/memory.oom_control" oom_kill
  else
    tell cpuUs "$2/cpu.stat" usage_usec
    tell peakMemoryBytes "$3/memory.peak" ''
    tell oomKills "$3/memory.events" oom_kill
  fi
}
read_usage "$@" </dev/null
`;
