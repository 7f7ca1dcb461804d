/**
 * What is done on the host, as POSIX sh. A sandbox is the folder ROOT/ID; beside it lie ID.json, its record, which comes first
 * and goes last, ID.pid, its supervisor's process, and ID.groups, its control groups. A port is claimed by the link ROOT/port-N
 * to the record.
 */

/** $1: the folder for all, or nothing. Prints the folder, uid, user, system, boot and PATH; then the programs that are there, each proved by its digest. */
export const PREPARE = `
prepare() {
  umask 077
  uid=$(id -u) || return
  root=$1
  case $root in
    '') base=/var/tmp; { [ -d "$base" ] && [ -w "$base" ]; } || base=/tmp; root=$base/hermes-ssh-$uid ;;
    '~/'*) root=$HOME/\${root#??} ;;
    /*) ;;
    *) root=$HOME/$root ;;
  esac
  mkdir -p "$root/bin" || return
  case $(ls -ld "$root") in
    d????w*|d???????w*) echo "others may write to $root" >&2; return 1 ;;
    d*) ;;
    *) echo "$root is no folder" >&2; return 1 ;;
  esac
  [ -O "$root" ] || { echo "$root belongs to somebody else" >&2; return 1; }
  # Commands of other users pass through root's folders to their own, and list none.
  if [ "$uid" = 0 ]; then chmod 711 "$root" "$root/bin" || return; fi
  boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
  printf '%s\\n' "$root" "$uid" "$(id -un)" "$(uname -sm)" "$boot" "$PATH"
  for file in "$root"/bin/*; do
    name=\${file##*/} sum=$(sha256sum < "$file" 2>/dev/null)
    case $sum in ''|"\${name%%.*}"*) echo "$name" ;; esac
  done
}
prepare "$@" </dev/null
`;

/** $1: place; $2: sha256; the bytes come as input. Whole and right, or not there. */
export const STORE = `
umask 077; part="$1.part.$$";
cat > "$part" && chmod 755 "$part" && {
sum=$(sha256sum < "$part" 2>/dev/null); case $sum in ""|"$2"*) mv -f "$part" "$1" && exit 0 ;; esac;
echo "other bytes arrived than were sent" >&2; };
rm -f "$part"; exit 1
`;

/**
 * record: as JSON; groups: control groups, one a line; limits: lines of limit, must or may, control file and value. $1: ROOT, $2: ID,
 * $3: user or nothing, $4: workdir below the sandbox's folder; then ports. 3: the key is taken, 4: no such user, 5: a port is taken,
 * 6: the kernel refuses a limit. A disk that is nearly full gets no new sandboxes: they would only fail in the middle.
 */
export const CREATE = `
create() {
  umask 077
  root=$1 id=$2 user=$3 work=$1/$2/$4
  draft=$root/$id.draft-$$
  free=$(df -Pk "$root" 2>/dev/null | awk 'NR == 2 { print $4 }')
  if [ "\${free:-65536}" -lt 65536 ]; then echo "only \${free} KiB are free on its disk, at least 65536 are wanted" >&2; return 1; fi
  printf '%s\\n' "$record" > "$draft" && ln "$draft" "$root/$id.json"
  made=$?
  rm -f "$draft"
  if [ "$made" != 0 ]; then [ ! -e "$root/$id.json" ] || return 3; return 1; fi
  shift 4
  mkdir "$root/$id" && mkdir -p "$work" "$root/$id/home" "$root/$id/tmp" || return
  if [ "$(id -u)" = 0 ]; then
    chmod 711 "$root/$id" && chmod -R 755 "$root/$id/workspace" "$root/$id/home" && chmod 1777 "$root/$id/tmp" || return
  fi
  if [ -n "$user" ]; then
    id -u "$user" >/dev/null 2>&1 || { echo "there is no user $user" >&2; return 4; }
    chown -R "$user" "$root/$id/workspace" "$root/$id/home" || return
  fi
  for port; do claim "$port" || { echo "port $port is another sandbox's" >&2; return 5; }; done
  make_groups "$root/$id.groups"
}
make_groups() {
  printf '%s' "$groups" > "$1" || return
  while read -r group; do mkdir -p "$group" || return; done < "$1"
  printf '%s' "$limits" | while read -r limit must file value; do
    { echo "$value" > "$file"; } 2>/dev/null || [ "$must" = may ] || { echo "the kernel refuses resources.$limit" >&2; exit 6; }
  done
}
claim() {
  until ln -s "$id.json" "$root/port-$1" 2>/dev/null; do
    [ ! -e "$root/port-$1" ] || return
    [ -L "$root/port-$1" ] || return
    rm -f "$root/port-$1"
  done
}
create "$@" </dev/null
`;

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

/** Sets \`pid\` to the supervisor that runs; $1: ROOT, $2: ID, $3: boot. Its number alone could be another process's by now. */
const FIND_SUPERVISOR = `
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

/**
 * $1: ROOT, $2: ID, $3: boot. Ends every process that is in the sandbox's control groups or carries its mark, the supervisor and all
 * their descendants, and removes the groups and what the sandbox has on disk. The supervisor goes last: it adopts orphans, so that they can be found below it.
 */
export const END: string = `${FIND_SUPERVISOR}
members() {
  {
    group_files cgroup.procs | while read -r file; do sed 's/^/member /' "$file"; done 2>/dev/null
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
# $1: a control file. Prints those of the sandbox's groups that are there.
group_files() {
  [ -f "$dir.groups" ] || return 0
  while read -r group; do
    if [ -f "$group/$1" ]; then echo "$group/$1"; fi
  done < "$dir.groups"
}
end_processes() {
  tries=0
  # Nothing in its groups can start a process any more.
  group_files pids.max | while read -r file; do echo 0 > "$file"; done 2>/dev/null
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
  group_files cgroup.procs | while read -r file; do
    group=\${file%/*} tries=0
    until rmdir "$group" 2>/dev/null || [ ! -d "$group" ]; do
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

/** $1: ROOT. One record a line. */
export const LIST = `
for file in "$1"/hermes-*.json; do [ -f "$file" ] && cat "$file"; done </dev/null 2>/dev/null; true
`;
