#!/bin/sh
# The supervisor's protocol in POSIX sh, for places where the program cannot
# run: "sh fallback.sh serve --state DIR". PROTOCOL.md says what it lacks.
# Needs awk, cat, dd, env, kill, mkdir, mkfifo, mv, rm, sleep, tail, wc; uses
# setsid, and env --default-signal, where they are.

LC_ALL=C
export LC_ALL
if [ "$1" != serve ] || [ "$2" != --state ] || [ -z "$3" ]; then
  echo 'usage: sh fallback.sh serve --state DIR' >&2
  exit 2
fi
case $3 in /*) state=$3 ;; *) state=$PWD/$3 ;; esac
umask_before=$(umask)
umask 077
mkdir -p "$state" && state=$state/sh-$$ && mkdir "$state" && mkfifo "$state/turn" || exit 1

# Descriptor 8 holds one line: who took it may write a frame to 9, the channel.
exec 8<>"$state/turn" 9>&1 1>/dev/null
echo >&8
newline='
'

setsid=
command -v setsid >/dev/null 2>&1 && setsid=setsid
environment='env -i'
env -i --default-signal=INT,QUIT true 2>/dev/null && environment='env -i --default-signal=INT,QUIT'
full='iflag=fullblock'
[ "$(printf ab | dd bs=2 count=1 $full 2>/dev/null)" = ab ] || full=

now() {
  time=$(date +%s%3N)
  case $time in *[!0-9]*) time=$(date +%s)000 ;; esac
  echo "$time"
}

# ticks: milliseconds of a clock for durations. busybox's date knows whole seconds alone, the kernel hundredths.
ticks() {
  if read -r up _ 2>/dev/null </proc/uptime; then
    time=$((${up%.*} * 1000 + (1${up#*.} - 100) * 10))
    echo "$time"
  else
    now
  fi
}

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

# say TYPE ID TEXT: a frame with a short payload.
say() {
  read -r _ <&8
  printf '%s %s %s\n%s' "$1" "$2" "${#3}" "$3" >&9
  echo >&8
}

# send TYPE ID OFFSET FILE SIZE: a data frame.
send() {
  read -r _ <&8
  printf '%s %s %d\n%020d' "$1" "$2" $(($5 + 20)) "$3" >&9
  cat "$4" >&9
  echo >&8
}

error() { say 05 "$1" "{\"code\":\"$2\",\"message\":\"$3\"}"; }

# payload LENGTH: copies exactly so many bytes of the channel.
payload() {
  [ "$1" -eq 0 ] && return
  if [ -n "$full" ]; then dd bs="$1" count=1 $full 2>/dev/null; else dd bs=1 count="$1" 2>/dev/null; fi
}

# decode FOLDER: turns the JSON object on its input into files: vars (a shell
# assignment j_KEY for each plain value), argv and env (lines that append to, or
# prepend to, the positional parameters) and script. It works piece by piece, in linear time.
decode() {
  : >"$1/vars"
  : >"$1/argv"
  : >"$1/env"
  awk -v folder="$1" '
    function put(text,   parts, count, at) {
      if (target == "") { key = key text; return }
      if (target == "script") { printf "%s", text > (folder "/script"); return }
      count = split(text, parts, "\047")
      for (at = 1; at <= count; at++) printf "%s%s", (at > 1 ? "\047\\\047\047" : ""), parts[at] > (folder "/" target)
    }
    function hex(digits,   value, at) {
      for (at = 1; at <= 4; at++) value = value * 16 + index("0123456789abcdef", tolower(substr(digits, at, 1))) - 1
      return value
    }
    function utf8(code) {
      if (code < 128) return sprintf("%c", code)
      if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
      if (code >= 55296 && code < 57344) code = 65533
      return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
    }
    function unescape(text,   parts, count, at, first) {
      count = split(text, parts, "[\\\\]")
      put(parts[1])
      for (at = 2; at <= count; at++) {
        first = substr(parts[at], 1, 1)
        if (first == "") { put("\\"); at++; if (at <= count) put(parts[at]) }
        else if (first == "u") { put(utf8(hex(substr(parts[at], 2, 4)))); put(substr(parts[at], 6)) }
        else put((first in plain ? plain[first] : first) substr(parts[at], 2))
      }
    }
    function begin() {
      if (isKey()) { target = key = ""; return }
      if (depth == 1 && names[1] == "script") { target = "script"; return put("") }
      target = depth == 1 ? "vars" : names[1] == "argv" || names[1] == "env" ? names[1] : "ignored"
      printf "%s", (depth == 1 ? "j_" names[1] "=\047" : target == "env" ? "set -- \047" : "set -- \"$@\" \047") > (folder "/" target)
      if (target == "env") put(names[2] "=")
    }
    function finish() {
      if (target == "") names[depth] = key
      else if (target != "script") print "\047" (target == "env" ? " \"$@\"" : "") > (folder "/" target)
    }
    function isKey() { return kinds[depth] == "{" && !afterColon }
    function structure(text,   at, sign, word) {
      for (at = 1; at <= length(text); at++) {
        sign = substr(text, at, 1)
        if (sign == "{" || sign == "[") {
          if (depth == 1) print "j_" names[1] "=given" > (folder "/vars")
          kinds[++depth] = sign; afterColon = 0
        } else if (sign == "}" || sign == "]") { literal(word); word = ""; depth--; afterColon = 0 }
        else if (sign == ":") { afterColon = 1; wasString = 0 }
        else if (sign == ",") { literal(word); word = ""; afterColon = 0 }
        else word = word sign
      }
    }
    function literal(word) {
      gsub(/[^A-Za-z0-9.+-]/, "", word)
      if (word == "null") word = ""
      if (afterColon && depth == 1 && names[1] ~ /^[A-Za-z]+$/ && !wasString) print "j_" names[1] "=" word > (folder "/vars")
      wasString = 0
    }
    BEGIN { RS = "\""; plain["n"] = "\n"; plain["t"] = "\t"; plain["r"] = "\r"; plain["b"] = "\b"; plain["f"] = "\f" }
    !inside { structure($0); inside = 1; fresh = 1; next }
    {
      if (fresh) { begin(); fresh = 0 }
      if (match($0, /[\\]+$/) && RLENGTH % 2) { unescape(substr($0, 1, length($0) - 1)); put("\""); next }
      unescape($0); finish(); inside = 0; wasString = 1
    }
  '
}

# pump ID TYPE NAME HEAD TAIL: sends the first HEAD bytes of descriptor 7 as
# they come and keeps the last TAIL in a file, until the end or until USR1.
pump() {
  stopped='' total=0 size=0 cut=0 reader=''
  trap 'stopped=1; [ -z "$reader" ] || kill "$reader" 2>/dev/null' USR1
  : >"$3.tail"
  limit=$j_maxBytes reads=1
  [ "$j_killAtLimit" = true ] || limit=9223372036854775807 reads=16
  while [ -z "$stopped" ]; do
    if [ "$total" -lt "$4" ]; then
      want=$(($4 - total))
      [ "$want" -le 65000 ] || want=65000
      dd bs="$want" count=1 <&7 >"$3.part" 2>/dev/null 8<&- 9<&- &
      reader=$!
      wait "$reader"
      size=$(($(wc -c <"$3.part")))
      [ "$size" -gt 0 ] || break
      send "$2" "$1" "$total" "$3.part" "$size"
      total=$((total + size)) size=0
    else
      dd bs=65536 count="$reads" <&7 >>"$3.tail" 2>/dev/null 8<&- 9<&- &
      reader=$!
      wait "$reader"
      before=$size
      size=$(($(wc -c <"$3.tail")))
      [ "$size" -gt "$before" ] || break
      total=$((total + size - before))
      if [ "$size" -gt $(($5 * 3 + 4194304)) ]; then
        tail -c "$5" "$3.tail" >"$3.part"
        mv "$3.part" "$3.tail"
        size=$5
      fi
    fi
    echo "$total" >"$3.progress"
    [ "$total" -le "$limit" ] || { limit=$total; (j_killGraceMs=0; end "$folder" output_limit_killed) & }
  done
  [ -z "$stopped" ] || cat <&7 >/dev/null 2>&1 8<&- 9<&- &
  rest "$1" "$2" "$3" "$5" "$size"
  echo "$total" >"$3.total"
}

# rest ID TYPE NAME TAIL SIZE: sends the end that was kept.
rest() {
  left=$5
  [ "$left" -le "$4" ] || left=$4
  tail -c "$left" "$3.tail" >"$3.part"
  block=0
  while [ "$left" -gt 0 ]; do
    dd bs=65000 skip=$block count=1 <"$3.part" >"$3.block" 2>/dev/null
    size=$(($(wc -c <"$3.block")))
    [ "$size" -gt 0 ] || break
    send "$2" "$1" $((total - left)) "$3.block" "$size"
    left=$((left - size)) block=$((block + 1))
  done
}

# later SECONDS COMMAND..: runs the command then, unless it is ended by TERM.
later() {
  delay=$1
  shift
  trap 'kill "$sleeper" 2>/dev/null; exit' TERM
  sleep "$delay" 8<&- 9<&- &
  sleeper=$!
  wait "$sleeper"
  "$@"
}

# end FOLDER CAUSE: TERM to the group, grace, KILL. The first cause counts.
end() {
  [ -e "$1/over" ] && return
  (set -C; echo "$2" >"$1/cause") 2>/dev/null || return
  while [ ! -s "$1/pid" ]; do
    [ ! -e "$1/over" ] && served "$1" || return
    sleep 0.02
  done
  read -r group <"$1/pid"
  signal TERM "$group"
  sleep "$(seconds "$j_killGraceMs")"
  signal KILL "$group"
}

# served FOLDER: false once its state was removed, or the script that serves it is dead: nobody may wait for it then.
served() { [ -d "$1" ] && kill -0 $$ 2>/dev/null; }

signal() { kill "-$1" "-$2" 2>/dev/null || kill "-$1" "$2" 2>/dev/null; }

# feed FOLDER: writes the pieces of stdin in their order.
feed() {
  piece=1
  while :; do
    if [ -e "$1/in.$piece.ready" ]; then
      cat "$1/in.$piece" 2>/dev/null || exec >/dev/null
      rm -f "$1/in.$piece" "$1/in.$piece.ready"
      piece=$((piece + 1))
    elif [ -e "$1/in.end" ] || [ -e "$1/over" ] || ! served "$1"; then
      return
    else
      sleep 0.02
    fi
  done
}

# find_program NAME: by the PATH of the command's own environment.
find_program() {
  case $1 in */*) [ -f "$1" ] && [ -x "$1" ] && found=$1; return ;; esac
  path=$(. "$folder/env"; for entry; do case $entry in PATH=*) echo "${entry#PATH=}" ;; esac; done)
  IFS=:
  for place in ${path:-/usr/local/bin:/usr/bin:/bin}; do
    if [ -f "$place/$1" ] && [ -x "$place/$1" ]; then found=$place/$1; break; fi
  done
  unset IFS
}

# exit_frame STATUS CODE SIGNAL MESSAGE PIPES KILLED WALL
exit_frame() {
  text=$(printf '%s' "$4" | tr -d '"\\' | tr '\001-\037' ' ')
  counts=
  for name in stdout stderr; do
    total=0
    [ ! -e "$folder/$name.total" ] || read -r total <"$folder/$name.total"
    dropped=$((total - j_maxBytes))
    [ "$dropped" -ge 0 ] || dropped=0
    counts="$counts\"$name\":{\"total\":$total,\"dropped\":$dropped},"
  done
  rm -f "$folder/env" # there may be secrets in it
  : >"$folder/over"
  say 16 "$id" "{\"status\":\"$1\",\"code\":$2,\"signal\":$3,\"message\":\"$text\",$counts\"leftover\":{\"pipesOpen\":$5,\"killedPids\":$6},\"wallMs\":$7,\"usage\":null,\"cwdAfter\":null}"
}

not_started() { exit_frame not_started null null "$1" false 0 0; }

# keep: the life of one command, in a process of its own.
keep() {
  head=$((j_maxBytes / 2)) tail=$((j_maxBytes - j_maxBytes / 2))
  [ "$j_keep" != head ] || { head=$j_maxBytes tail=0; }
  [ "$j_keep" != tail ] || { head=0 tail=$j_maxBytes; }
  cd "${j_cwd:-.}" 2>/dev/null || { not_started "working directory $j_cwd: it cannot be entered"; return; }
  set --
  if [ "$j_argv" = given ]; then . "$folder/argv"; else
    shell=${j_shell:-bash}
    [ -n "$j_shell" ] || command -v bash >/dev/null 2>&1 || shell=sh
    set -- "$shell" "$folder/script"
  fi
  found=
  find_program "$1"
  [ -n "$found" ] || { not_started "$1: command not found"; return; }
  shift
  set -- "HERMES_EXEC=$id" "$found" "$@"
  . "$folder/env"
  launch "$@"
}

# launch: the leader with its pipes, its time limit, and what comes after it.
launch() {
  mkfifo "$folder/stdout" "$folder/stderr" "$folder/stdin"
  pump "$id" 14 "$folder/stdout" "$head" "$tail" 7<"$folder/stdout" &
  outs=$!
  errors=$folder/stdout
  [ "$j_merge" = true ] || {
    errors=$folder/stderr
    pump "$id" 15 "$folder/stderr" "$head" "$tail" 7<"$folder/stderr" &
    outs="$outs $!"
  }
  input=/dev/null
  [ "$j_stdin" != open ] || { input=$folder/stdin; feed "$folder" >"$input" 2>/dev/null & }
  began=$(now) ticked=$(ticks)
  (umask "$umask_before"; exec $setsid $environment "$@") <"$input" >"$folder/stdout" 2>"$errors" 8<&- 9<&- &
  leader=$!
  echo "$leader" >"$folder/pid"
  say 11 "$id" "{\"pid\":$leader,\"startedAt\":$began,\"queuedMs\":0,\"duplicate\":false}"
  timer=
  [ "$j_timeoutMs" -eq 0 ] || { later "$(seconds "$j_timeoutMs")" end "$folder" timeout & timer=$!; }
  wait "$leader"
  code=$?
  wall=$(($(ticks) - ticked))
  [ -z "$timer" ] || kill "$timer" 2>/dev/null
  conclude
}

# conclude: drain, end what is left of the group, report.
conclude() {
  watch &
  watcher=$!
  for one in $outs; do wait "$one"; done
  kill "$watcher" 2>/dev/null
  open=false killed=0 cause=
  [ ! -e "$folder/open" ] || open=true
  [ ! -e "$folder/cause" ] || read -r cause <"$folder/cause"
  if [ "$j_background" != adopt ] || [ -n "$cause" ]; then
    kill -0 "-$leader" 2>/dev/null && killed=1 && signal KILL "$leader"
  elif kill -0 "-$leader" 2>/dev/null; then
    echo "$leader" >>"$state/adopted"
  fi
  if [ -n "$cause" ]; then
    exit_frame "$cause" null null "ended by the supervisor: $cause" "$open" "$killed" "$wall"
  elif [ "$code" -gt 128 ] && [ "$code" -lt 160 ] && name=$(kill -l $((code - 128)) 2>/dev/null) && [ -n "$name" ]; then
    exit_frame signaled null "\"SIG${name#SIG}\"" '' "$open" "$killed" "$wall"
  else
    exit_frame exited "$code" null '' "$open" "$killed" "$wall"
  fi
}

# watch: ends the drain when nothing comes any more. What still holds the pipes
# is killed first, unless it may live on. Where the group is gone the pipes most
# likely end by themselves, and only this script may be slow: it waits longer.
watch() {
  trap 'kill "$sleeper" 2>/dev/null; exit' TERM
  spent=0 before=none
  while [ "$spent" -lt "${j_drainMs:-2000}" ] || { [ "$spent" -lt 5000 ] && ! kill -0 "-$leader" 2>/dev/null; }; do
    progress=$(cat "$folder"/*.progress 2>/dev/null)
    if [ "$progress" = "$before" ]; then
      kill -0 "-$leader" 2>/dev/null && break
      [ "$spent" -lt 5000 ] || break
    fi
    before=$progress
    sleep "$(seconds "${j_drainIdleMs:-250}")" 8<&- 9<&- &
    sleeper=$!
    wait "$sleeper"
    spent=$((spent + ${j_drainIdleMs:-250} + 1))
  done
  : >"$folder/open"
  if [ "$j_background" != adopt ] || [ -e "$folder/cause" ]; then
    signal KILL "$leader"
    sleep 0.1
  fi
  kill -s USR1 $outs 2>/dev/null
}

start() {
  folder=$state/$id
  mkdir "$folder" || return
  payload "$length" | decode "$folder"
  [ ! -e "$state/$id.script" ] || mv "$state/$id.script" "$folder/script"
  for name in argv script shell cwd user session stdin keep merge killAtLimit background timeoutMs killGraceMs maxBytes drainMs drainIdleMs tty; do unset "j_$name"; done
  j_timeoutMs=0 j_killGraceMs=2000 j_maxBytes=1048576
  . "$folder/vars"
  if [ -n "$j_tty$j_session" ]; then error "$id" UNSUPPORTED "the fallback has no terminals and no sessions"
  elif [ -n "$j_user" ] && [ "$j_user" != "$(id -un)" ]; then error "$id" UNSUPPORTED "the fallback runs commands as its own user only"
  else keep </dev/null 2>/dev/null &
  fi
}

on_signal() {
  folder=$state/$id
  payload "$length" >"$state/signal.json"
  [ -e "$folder/vars" ] || return
  mkdir -p "$state/signal"
  decode "$state/signal" <"$state/signal.json"
  j_signal=TERM j_tree=true j_reason=
  . "$state/signal/vars"
  if [ "$j_reason" = cancel ]; then
    (. "$folder/vars"; end "$folder" cancelled) 2>/dev/null &
  elif [ -s "$folder/pid" ]; then
    read -r group <"$folder/pid"
    if [ "$j_tree" = true ]; then signal "${j_signal#SIG}" "$group"; else kill -s "${j_signal#SIG}" "$group" 2>/dev/null; fi
  fi
}

add_stdin() {
  folder=$state/$id
  eval "count=\${stdin_$id:-0}"
  count=$((count + 1))
  eval "stdin_$id=$count"
  payload "$length" >"$folder/in.$count"
  : >"$folder/in.$count.ready"
}

# stop_all MS: as in "end", for every command at once.
stop_all() {
  for vars in "$state"/*/vars; do
    folder=${vars%/vars}
    [ ! -e "$folder/pid" ] || [ -e "$folder/over" ] || (j_killGraceMs=$1; end "$folder" cancelled) &
  done
  wait_over
  [ ! -e "$state/adopted" ] || while read -r group; do signal KILL "$group"; done <"$state/adopted"
}

wait_over() {
  tries=0
  while [ $tries -lt 100 ]; do
    running=
    for one in "$state"/*/pid; do [ ! -e "$one" ] || [ -e "${one%pid}over" ] || running=1; done
    [ -n "$running" ] || return
    sleep 0.05
    tries=$((tries + 1))
  done
}

hello() {
  payload "$length" >/dev/null
  say 02 0 "{\"version\":1,\"supervisor\":\"sh\",\"os\":\"$(uname -s | tr A-Z a-z)\",\"arch\":\"$(uname -m)\",\"boot\":\"$$-$(now)\",\"pid\":$$,\"uid\":$(id -u),\"features\":[],\"running\":[],\"credit\":1048576}"
}

trap '' HUP INT PIPE
trap 'stop_all 0; rm -rf "$state"; exit' TERM
while read -r type id length; do
  case $type in
    01) hello ;;
    03) say 04 0 "$(payload "$length")" ;;
    10) start ;;
    12) add_stdin ;;
    13) : >"$state/$id/in.end" ;;
    17) rm -rf "${state:?}/$id" ;;
    18) on_signal ;;
    1d) payload "$length" >>"$state/$id.script" ;;
    30) payload "$length" >/dev/null; say 31 "$id" '{"cpuSeconds":null,"peakMemoryBytes":null,"exact":false}' ;;
    1a | 20 | 21 | 25) payload "$length" >/dev/null; error "$id" UNSUPPORTED "the fallback has no sessions and no files" ;;
    3f) payload "$length" >/dev/null; break ;;
    *) payload "$length" >/dev/null ;;
  esac
done
stop_all 0
rm -rf "$state"
