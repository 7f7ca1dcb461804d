import { FIND_SUPERVISOR } from './find-sandboxes.ts';

/**
 * $1: ROOT, $2: ID, $3: boot. Ends every process that is in the sandbox's control groups or carries its mark, the supervisor and all
 * their descendants, and removes the groups and what the sandbox has on disk. The supervisor goes last: it adopts orphans, so that they can be found below it.
 */
export const END: string = `${FIND_SUPERVISOR}
members() {
  {
    own_groups cgroup.procs | while read -r file; do sed 's/^/member /' "$file"; done 2>/dev/null
    grep -lF "HERMES_SANDBOX=$id" /proc/[0-9]*/environ 2>/dev/null | sed 's,/proc/\\([0-9]*\\)/.*,member \\1,'
    echo "member $supervisor"
    cat /proc/[0-9]*/status 2>/dev/null
  } | awk '
    $1 == "member" { member[$2] = 1 }
    $1 == "State:" { state = $2 }
    $1 == "Pid:" { pid = $2 }
    $1 == "PPid:" && state != "Z" && state != "X" { parent[pid] = $2 }
    END {
      do {
        grown = 0
        for (pid in parent) if (!(pid in member) && (parent[pid] in member)) { member[pid] = 1; grown = 1 }
      } while (grown)
      for (pid in parent) if (pid in member) print pid
    }'
}
# The sandbox's groups that are there and those that were made inside, which come first; $1: a file in each, or nothing.
own_groups() {
  [ -f "$dir.groups" ] || return 0
  while read -r group; do find "$group" -depth -type d 2>/dev/null; done < "$dir.groups" | while read -r group; do
    if [ -e "$group/$1" ]; then echo "$group/$1"; fi
  done
}
end_processes() {
  tries=0
  # Nothing in its groups can start a process any more.
  own_groups pids.max | while read -r file; do echo 0 > "$file"; done 2>/dev/null
  while left=$(members) && [ -n "$left" ]; do
    [ "$tries" -lt 200 ] || { echo "processes that could not be ended:" $left >&2; return 1; }
    others=
    for one in $left; do [ "$one" = "$supervisor" ] || others="$others $one"; done
    kill -KILL \${others:-$left} 2>/dev/null
    tries=$((tries + 1))
    sleep 0.02 2>/dev/null || sleep 1
  done
}
end_groups() {
  own_groups '' | while read -r group; do
    tries=0
    # Sandboxes that were nested in it had groups of their own below.
    until rmdir "$group"/*/ "$group" 2>/dev/null || [ ! -d "$group" ]; do
      [ "$tries" -lt 100 ] || { echo "the control group $group could not be removed" >&2; exit 1; }
      tries=$((tries + 1))
      sleep 0.02 2>/dev/null || sleep 1
    done
  done
}
# What is mounted inside is somebody else's and must not be removed with it.
end_mounts() {
  while read -r _ place _; do
    case $place in "$dir"/*) umount -l "$(printf '%b' "$place")" ;; esac
  done < /proc/mounts
  ! grep -qF " $dir/" /proc/mounts || { echo "something is still mounted below $dir" >&2; return 1; }
}
end_folder() {
  rm -rf "$dir" 2>/dev/null
  [ -e "$dir" ] || return 0
  chattr -R -i -a "$dir" 2>/dev/null
  chmod -R u+rwx "$dir" 2>/dev/null
  rm -rf "$dir"
}
end_sandbox() {
  id=$2 dir=$1/$2 supervisor=
  if find_supervisor "$@" 2>/dev/null; then supervisor=$pid; fi
  if [ -d /proc/self ]; then
    end_processes && end_groups && end_mounts || return
  elif [ -n "$supervisor" ]; then
    kill "$supervisor"
  fi
  end_folder || return
  for port in "$1"/port-*; do
    if [ "$(readlink "$port")" = "$id.json" ]; then rm -f "$port"; fi
  done
  rm -f "$dir.pid" "$dir.groups" "$dir".draft-* "$dir.json"
}
end_sandbox "$@" </dev/null
`;
