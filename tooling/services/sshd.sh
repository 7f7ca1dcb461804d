#!/bin/sh
# An OpenSSH server for the tests, on a machine that has none running (Debian, root, no systemd).
#
#   sshd.sh start    installs what is missing, makes users and keys, starts a server on 127.0.0.1; prints nothing when it is there
#   sshd.sh env      prints the settings of it as shell variables: eval "$(sshd.sh env)"
#   sshd.sh check    succeeds when it runs and lets the test user in
#   sshd.sh stop     ends the server and removes its users and its folder
#
# Nothing of the machine's own ssh configuration is used or changed. All lies below one temporary folder. Accounts:
#   hermes-ssh        key client_ed25519; a plain shell         hermes-ssh-noisy      the same key; its shell greets on every login
#   hermes-ssh-pass   the password in the file `password`       root                  the same key
set -eu

folder=${HERMES_TEST_SSHD:-${TMPDIR:-/tmp}/hermes-test-sshd}
first_port=42022
users='hermes-ssh hermes-ssh-noisy hermes-ssh-pass'

main() {
  case "${1:-start}" in
    start) check || { install_missing && make_folder && make_users && start_server; } ;;
    env) cat "$folder/env" ;;
    check) check ;;
    stop) stop_server ;;
    *) fail "unknown command $1: start, env, check or stop" ;;
  esac
}

fail() {
  echo "sshd.sh: $*" >&2
  exit 1
}

check() {
  [ -f "$folder/env" ] || return 1
  (
    . "$folder/env"
    log_in "$TERMINAL_SSH_PORT" >/dev/null 2>&1
  )
}

log_in() {
  ssh -F none -p "$1" -i "$folder/client_ed25519" -o IdentitiesOnly=yes -o BatchMode=yes -o ConnectTimeout=5 \
    -o UserKnownHostsFile="$folder/known_hosts" -o GlobalKnownHostsFile=none hermes-ssh@127.0.0.1 true </dev/null
}

install_missing() {
  missing=
  [ -x /usr/sbin/sshd ] || missing="$missing openssh-server"
  command -v ssh >/dev/null || missing="$missing openssh-client"
  [ -n "$missing" ] || return 0
  apt-get update -qq
  # shellcheck disable=SC2086 # a list of names
  apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

make_folder() {
  mkdir -p /run/sshd "$folder/home"
  chmod 755 "$folder" "$folder/home"
  for key in host_ed25519 client_ed25519; do
    [ -f "$folder/$key" ] || ssh-keygen -q -t ed25519 -N '' -C hermes-test -f "$folder/$key"
  done
  [ -f "$folder/password" ] || (umask 077 && od -An -tx1 -N12 /dev/urandom | tr -d ' \n' >"$folder/password")
  cp "$folder/client_ed25519.pub" "$folder/authorized_keys"
}

make_users() {
  for user in $users; do
    id "$user" >/dev/null 2>&1 || useradd -M -d "$folder/home/$user" -s /bin/sh -p '*' "$user"
    # Also of a user who was in use when the folder was last removed: a login without a home is at /.
    install -d -m 755 -o "$user" -g "$user" "$folder/home/$user"
  done
  usermod -s /bin/bash hermes-ssh-noisy
  echo 'echo "Welcome to this machine!"' >"$folder/home/hermes-ssh-noisy/.bashrc"
  printf 'hermes-ssh-pass:%s' "$(cat "$folder/password")" | chpasswd
}

start_server() {
  port=$first_port
  until try_port "$port"; do
    port=$((port + 1))
    [ "$port" -lt $((first_port + 20)) ] || fail "no server would start; the log ends with
$(tail -n 20 "$folder/sshd.log")"
  done
  cat >"$folder/env" <<END
export HERMES_TEST_SSHD='$folder'
export TERMINAL_SSH_HOST=127.0.0.1
export TERMINAL_SSH_PORT=$port
export TERMINAL_SSH_USER=hermes-ssh
export TERMINAL_SSH_KEY='$folder/client_ed25519'
export TERMINAL_SSH_KNOWN_HOSTS='$folder/known_hosts'
END
}

# try_port PORT: a server there that lets the test user in.
try_port() {
  cat >"$folder/sshd_config" <<END
Port $1
ListenAddress 127.0.0.1
HostKey $folder/host_ed25519
PidFile $folder/sshd.pid
AuthorizedKeysFile $folder/authorized_keys
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
MaxStartups 100
Match User hermes-ssh-pass
  AuthorizedKeysFile none
  PasswordAuthentication yes
END
  echo "[127.0.0.1]:$1 $(cut -d' ' -f1,2 "$folder/host_ed25519.pub")" >"$folder/known_hosts"
  # Detached from this shell and its terminal: it serves the runs that follow, too.
  setsid /usr/sbin/sshd -f "$folder/sshd_config" -E "$folder/sshd.log" </dev/null >/dev/null 2>&1 || return 1
  tries=0
  until log_in "$1" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || return 1
    sleep 0.2
  done
}

stop_server() {
  if [ -f "$folder/sshd.pid" ]; then kill "$(cat "$folder/sshd.pid")" 2>/dev/null || true; fi
  for user in $users; do
    if id "$user" >/dev/null 2>&1; then userdel "$user" 2>/dev/null || echo "sshd.sh: the user $user is in use and stays" >&2; fi
  done
  rm -rf "$folder"
}

main "$@"
