const MIB = 1024 ** 2;

/** What a rollout may leave, and how the next one would notice. `look` prints nothing where nothing is left. */
export type Remains = Readonly<{ name: string; leave: string; look: string }>;

/** The slots of these tests have so much disk. */
export const DISK_BYTES: number = 64 * MIB;

export const REMAINS: readonly Remains[] = [
  {
    name: 'files anywhere, in system folders too',
    leave:
      'for d in / /etc /usr/bin /usr/lib /root /home /tmp /var/tmp /var/lib /opt /srv /mnt "$PWD"; do echo left > $d/left-behind; done',
    look: 'find / -xdev -name left-behind 2>/dev/null',
  },
  {
    name: 'changed and removed files of the system',
    leave:
      'echo "evil:x:0:0::/:/bin/sh" >> /etc/passwd; rm -rf /usr/bin/env /usr/lib/python3*; echo x > /bin/ls',
    look: 'grep evil /etc/passwd; [ -x /usr/bin/env ] || echo no env; ls / > /dev/null || echo no ls; python3 -c "import json" || echo no python',
  },
  {
    name: 'names that are hard to remove',
    leave:
      'mkdir -p closed/deep "$(printf "new\\nline")" -- "-rf" && touch closed/deep/x && chmod 000 closed/deep closed; i=0; while [ $i -lt 300 ]; do mkdir dddddddddddddddddddd && cd dddddddddddddddddddd && i=$((i + 1)) || break; done',
    look: 'ls -A /workspace',
  },
  {
    name: 'processes that left their session and ignore every signal',
    leave: `for i in 1 2 3; do (setsid sh -c 'trap "" TERM HUP INT QUIT; while :; do sleep 31337; done' >/dev/null 2>&1 </dev/null &) ; done; sleep 0.2`,
    look: 'grep -lz "[3]1337" /proc/[0-9]*/cmdline 2>/dev/null; ls -d /proc/[0-9]* | wc -l | awk "\\$1 > 8 { print }"',
  },
  {
    name: 'listening ports',
    leave: `python3 -c "
import socket, os, time
if os.fork() == 0:
    os.setsid()
    s = socket.socket(); s.bind(('0.0.0.0', 8080)); s.listen()
    u = socket.socket(socket.AF_UNIX); u.bind('\\0left-behind'); u.listen()
    time.sleep(600)
" >/dev/null 2>&1 & sleep 0.5`,
    look: 'awk \'$4 == "0A"\' /proc/net/tcp; grep left-behind /proc/net/unix',
  },
  {
    name: 'shared memory of every kind',
    leave: `echo left > /dev/shm/left; python3 -c "
import ctypes
libc = ctypes.CDLL(None)
print(libc.shmget(4242, 4096, 0o1666), libc.semget(4242, 1, 0o1666), libc.msgget(4242, 0o1666))"`,
    look: 'ls -A /dev/shm; tail -n +2 /proc/sysvipc/shm; tail -n +2 /proc/sysvipc/sem; tail -n +2 /proc/sysvipc/msg',
  },
  {
    name: 'a full disk',
    leave:
      'cat /dev/zero > /var/full 2>/dev/null; cat /dev/zero > /tmp/full 2>/dev/null; df -k / | tail -n 1',
    look: 'df -k / | tail -n 1 | awk "\\$3 > 4096 { print }"; head -c 1048576 /dev/zero > room || echo no room; rm -f room',
  },
  {
    name: 'a sparse file of 100 GB',
    leave: 'truncate -s 100G sparse; stat -c %s sparse',
    look: 'ls -A /workspace',
  },
  {
    name: 'every inode used up',
    leave:
      'i=0; mkdir many; while : > many/$i; do i=$((i + 1)); [ $i -lt 20000 ] || break; done 2>/dev/null; true',
    look: 'ls -A /workspace; : > one || echo no inode; rm -f one',
  },
  {
    name: 'a host name, limits, a mask, a clock',
    leave:
      'hostname left-behind; echo left > /etc/hostname; ulimit -n 10; umask 777; date -s 2001-01-01',
    look: 'hostname | grep left; cat /etc/hostname | grep left; [ "$(date +%Y)" -gt 2020 ] || date',
  },
];

/** What asks for rights that no slot has: each must fail. */
export const REFUSED: Readonly<Record<string, string>> = {
  'a mount': 'mkdir -p m && mount -t tmpfs none m',
  'a bind mount': 'mkdir -p m && mount --bind /etc m',
  'a mount namespace': 'unshare --mount true',
  'a user namespace': 'unshare --user --map-root-user true',
  'a network namespace': 'unshare --net true',
  'an immutable file': 'touch fixed && chattr +i fixed',
  'a device': 'mknod disk b 8 0',
  'the kernel’s settings': 'echo 1 > /proc/sys/kernel/sysrq',
  'the kernel’s settings by its core pattern': 'echo "|/tmp/x" > /proc/sys/kernel/core_pattern',
  'a restart': 'echo b > /proc/sysrq-trigger',
  'the supervisor’s program': 'echo x > /.hermes/hermes-supervisor',
  'the supervisor’s memory': 'head -c 1 /proc/1/mem',
  'the supervisor’s root': 'ls /proc/1/root/',
  'the supervisor’s descriptors': 'cat /proc/1/fd/0',
  'the namespaces of the first process': 'nsenter --target 1 --mount true',
  'raw sockets': 'python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"',
  'the loopback’s configuration':
    "ip link set lo down || python3 -c \"import socket,fcntl,struct; s=socket.socket(); fcntl.ioctl(s, 0x8914, struct.pack('16sH14s', b'lo', 0, b''))\"",
};
