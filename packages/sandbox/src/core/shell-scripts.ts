/**
 * File operations for sandboxes whose supervisor knows no file frames. Each takes its paths as arguments and, where it
 * fails, says why on stderr in the words of the C locale.
 */
const describe = `describe() {
  printf '%s\\0%s\\0%s\\0' "$(stat -c '%f %s %Y' -- "$1")" "$2" "$(readlink -- "$1" || :)"
}`;

const missing = `missing() {
  [ -e "$1" ] || [ -L "$1" ] || { stat -- "$1" >&2; exit 1; }
}`;

/** One record: `MODE SIZE MTIME` with the mode in hex, the path and the link's target, each ended by a NUL. */
export const STAT: string = `${describe}; ${missing}; missing "$1"; describe "$1" "$1"`;

/** A record for each entry. */
export const LIST: string = `${describe}; ${missing}; missing "$1"
[ -d "$1" ] || { echo 'Not a directory' >&2; exit 1; }
cd -- "$1" || exit 1
for name in .[!.]* ..?* *; do
  if [ -e "./$name" ] || [ -L "./$name" ]; then describe "./$name" "\${1%/}/$name"; fi
done`;

export const READ: string = `[ ! -d "$1" ] || { echo 'Is a directory' >&2; exit 1; }
exec cat -- "$1"`;

/** $2: the mode in octal, or nothing: that of the file that is there, else what the umask gives. */
export const WRITE: string = `parent=$(dirname -- "$1"); part="$parent/.hermes-part-$$"
[ ! -e "$parent" ] || [ -d "$parent" ] || { echo 'Not a directory' >&2; exit 1; }
mkdir -p -- "$parent" || exit 1
[ ! -d "$1" ] || { echo 'Is a directory' >&2; exit 1; }
[ ! -e "$1" ] || [ -f "$1" ] || { echo 'File exists' >&2; exit 1; }
mode=$2; [ -n "$mode" ] || mode=$(stat -L -c %a -- "$1" 2>/dev/null) || mode=
cat > "$part" && { [ -z "$mode" ] || chmod "$mode" "$part"; } && mv -f -- "$part" "$1" && exit 0
rm -f -- "$part"; exit 1`;

export const MKDIR = 'exec mkdir -p -- "$1"';

/** $2: yes to remove a folder with what is in it. */
export const REMOVE: string = `${missing}; missing "$1"
if [ -d "$1" ] && [ ! -L "$1" ]; then
  [ "$2" = yes ] || { echo 'Is a directory' >&2; exit 1; }
fi
exec rm -rf -- "$1"`;

export const RENAME: string = `${missing}; missing "$1"
mkdir -p -- "$(dirname -- "$2")" || exit 1
[ ! -d "$2" ] || [ -L "$2" ] || rmdir -- "$2" || exit 1
exec mv -f -- "$1" "$2"`;

export const PACK: string = `${missing}; missing "$1"
[ -d "$1" ] || { echo 'Not a directory' >&2; exit 1; }
cd -- "$1" && exec tar -cf - .`;

export const UNPACK = 'mkdir -p -- "$1" && cd -- "$1" && exec tar -xpf -';
