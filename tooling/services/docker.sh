#!/bin/sh
# A Docker daemon, the images that the tests use and the program of a registry, on a machine that has none (Debian, root, no systemd).
#
#   docker.sh start    uses the daemon that answers, else installs what is missing and starts one; makes the images
#   docker.sh check    succeeds when a daemon answers and has the images, and the registry can be started
#   docker.sh stop     ends the daemon that `start` began; images and caches stay
#
# The images are named by the content of their recipe, so a second run makes nothing:
#   hermes-test/debian:1   bash, coreutils, git, python3        hermes-test/busybox:1   sh and busybox's applets alone
# HERMES_SERVICES_CACHE: where root folders are kept as archives between runs. Default: ~/.cache/hermes-services.
set -eu

socket=/var/run/docker.sock
pid_file=/var/run/hermes-test-dockerd.pid
log=/var/log/hermes-test-dockerd.log
cache=${HERMES_SERVICES_CACHE:-${HOME:-/root}/.cache/hermes-services}
packages='bash coreutils procps ca-certificates git python3'

main() {
  case "${1:-start}" in
    start) install_missing && start_daemon && make_images ;;
    check) answers && has_image hermes-test/debian:1 && has_image hermes-test/busybox:1 &&
      command -v docker-registry >/dev/null ;;
    stop) stop_daemon ;;
    *) fail "unknown command $1: start, check or stop" ;;
  esac
}

fail() {
  echo "docker.sh: $*" >&2
  exit 1
}

answers() {
  curl -sf -m 5 --unix-socket "$socket" http://docker/_ping >/dev/null 2>&1
}

install_missing() {
  missing=
  command -v curl >/dev/null || missing="$missing curl"
  command -v mmdebstrap >/dev/null || missing="$missing mmdebstrap"
  command -v docker-registry >/dev/null || missing="$missing docker-registry"
  [ -x /bin/busybox ] || missing="$missing busybox-static"
  answers || command -v dockerd >/dev/null || missing="$missing docker.io"
  [ -n "$missing" ] || return 0
  apt-get update -qq
  # shellcheck disable=SC2086 # a list of names
  apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

start_daemon() {
  if answers; then return 0; fi
  mountpoint -q /sys/fs/cgroup || fail 'control groups are not mounted; install the package cgroupfs-mount'
  # Of a daemon that was killed: its number may be another's by now, and then dockerd would refuse to start.
  rm -f "$pid_file"
  # Detached from this shell and its terminal: it serves the runs that follow, too.
  setsid dockerd --host "unix://$socket" --pidfile "$pid_file" >"$log" 2>&1 </dev/null &
  tries=0
  until answers; do
    tries=$((tries + 1))
    [ "$tries" -lt 150 ] || fail "the daemon does not answer after 30 s; its log ends with
$(tail -n 20 "$log")"
    sleep 0.2
  done
}

stop_daemon() {
  [ -f "$pid_file" ] || return 0
  pid=$(cat "$pid_file")
  kill "$pid" 2>/dev/null || return 0
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}

# api METHOD PATH [CURL ARGUMENT ...]: the client may be missing or of another version, the API is not.
api() {
  method=$1 path=$2
  shift 2
  curl -sf --unix-socket "$socket" -X "$method" "http://docker$path" "$@"
}

has_image() {
  api GET "/images/$1/json" >/dev/null
}

make_images() {
  mkdir -p "$cache"
  make_image debian "$(printf 'debian 1 %s' "$packages" | sha256sum | cut -c1-16)"
  make_image busybox "$({ echo 1; cat /bin/busybox; } | sha256sum | cut -c1-16)"
}

# make_image KIND CONTENT: imports the archive of a root folder, and makes that where it is not in the cache.
make_image() {
  name=hermes-test/$1 archive=$cache/$1-$2.tar
  if ! has_image "$name:$2"; then
    [ -f "$archive" ] || "pack_$1" "$archive"
    api POST "/images/create?fromSrc=-&repo=$name&tag=$2" -T "$archive" -H 'Content-Type: application/x-tar' |
      grep -q sha256 || fail "the daemon did not take the image $name"
  fi
  api POST "/images/$name:$2/tag?repo=$name&tag=1" >/dev/null
}

# The machine's own mirror of Debian, without the packages' documentation and lists.
pack_debian() {
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
  [ -n "$mirror" ] || fail "apt knows no source for Debian bookworm: add one and run apt-get update"
  mmdebstrap --quiet --variant=minbase --include="$(echo "$packages" | tr ' ' ,)" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --format=tar bookworm "$1.part" "$mirror"
  mv "$1.part" "$1"
}

pack_busybox() {
  root=$(mktemp -d)
  mkdir -p "$root/bin" "$root/etc" "$root/root" "$root/tmp" "$root/var/tmp" "$root/proc" "$root/sys" "$root/dev"
  chmod 1777 "$root/tmp" "$root/var/tmp"
  cp /bin/busybox "$root/bin/busybox"
  # The list names busybox itself, and a link to itself would break every other.
  for applet in $(/bin/busybox --list | grep -vx busybox); do ln -s busybox "$root/bin/$applet"; done
  printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
  tar -C "$root" --owner=0 --group=0 -cf "$1.part" .
  mv "$1.part" "$1"
  rm -r "$root"
}

main "$@"
