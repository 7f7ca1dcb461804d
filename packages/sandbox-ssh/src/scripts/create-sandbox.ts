import { CHECK_ROOM } from './check-room.ts';

/**
 * What is done on the host, as POSIX sh. A sandbox is the folder ROOT/ID; beside it lie ID.json, its record, which comes first
 * and goes last, ID.pid, its supervisor's process, and ID.groups, its control groups. A port is claimed by the link ROOT/port-N
 * to the record.
 */

/**
 * record: as JSON; groups: control groups, one a line; limits: lines of limit, must or may, control file and value. $1: ROOT, $2: ID,
 * $3: user or nothing, $4: workdir below the sandbox's folder; then ports. 3: the key is taken, 4: no such user, 5: a port is taken,
 * 6: the kernel refuses a limit.
 */
export const CREATE: string = `${CHECK_ROOM}
create() {
  umask 077
  root=$1 id=$2 user=$3 work=$1/$2/$4
  draft=$root/$id.draft-$$
  check_room "$root" || return
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
  make_groups "$root/$id.groups" || return
  # A connection that broke meanwhile may have made somebody remove the sandbox already.
  [ -e "$root/$id.json" ] || { unmake; return 1; }
}
unmake() {
  while read -r group; do rmdir "$group"; done < "$root/$id.groups"
  rm -rf "$root/$id" "$root/$id.groups"
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
