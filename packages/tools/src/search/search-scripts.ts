/**
 * Lists the files below the folder $1 as `MTIME SIZE PATH`, each ended by a NUL; $2: `all`, or `plain` to leave out
 * folders that begin with a dot. Links are not followed, and pipes and devices are no files.
 */
export const LIST_FILES: string = `cd -- "$1" || exit 3
hidden=''; [ "$2" = all ] || hidden='-type d -name .?* -prune -o'
system=''; [ "$1" != / ] || system='-path ./proc -prune -o -path ./sys -prune -o -path ./dev -prune -o'
set -f
if find . -maxdepth 0 -printf '' 2>/dev/null; then
  find . $system $hidden -type f -printf '%T@ %s %P\\0' 2>/dev/null
else
  find . $system $hidden -type f -exec sh -c 'for file; do
    printf "%s %s\\0" "$(stat -c "%Y %s" -- "$file")" "\${file#./}"
  done' sh {} + 2>/dev/null
fi | head -c "$3"`;

const TEXT_FILES = `for file; do
  zeros=$(head -c 32768 "$file" | tr -dc "\\\\000" | wc -c)
  [ "$zeros" -ne 0 ] || printf "%s\\\\0" "$file"
done`;

const EACH_FILE = `for file; do
  case $MODE in
    files_only) grep -Eqe "$PATTERN" "$file" && printf "%s\\\\0" "$file" ;;
    count) printf "%s\\\\0%s\\\\n" "$file" "$(grep -Ece "$PATTERN" "$file")" ;;
    content) grep -En -C "$CONTEXT" -e "$PATTERN" "$file" | LC_ALL=C cut -b 1-4096 | while IFS= read -r line; do
      [ "$line" = -- ] || printf "%s\\\\0%s\\\\n" "$file" "$line"
    done ;;
  esac
done`;

/**
 * Searches the files that stdin names (below the folder $1, each ended by a NUL) for $2, or for $3 where only POSIX
 * expressions are known; an empty $3 is a bad expression there. $4: content, files_only or count; $5: lines of context; $6: the most bytes to answer.
 * Long lines are cut (where a name with newlines is before them, later): 500 characters of a line are always there.
 * Answers PATH NUL, and then LINE:TEXT, LINE-CONTEXT or a count; code 2, with the reason on stderr, for a bad expression.
 */
export const SEARCH_FILES: string = `cd -- "$1" || exit 3
PATTERN=$2; posix=$3; MODE=$4; CONTEXT=$5; limit=$6
LC_ALL=C.UTF-8; export PATTERN MODE CONTEXT LC_ALL; unset GREP_OPTIONS
use_posix() {
  PATTERN=$posix
  [ -n "$posix" ] || { echo 'the grep of this sandbox has no lookaround, flags or \\p' >&2; exit 2; }
}
gnu=no; if grep --version 2>/dev/null | grep -q GNU; then gnu=yes; fi
if printf x | rg --no-config --text --engine auto -q -e x - 2>/dev/null; then
  kind=rg; set -- rg --no-config --no-messages --text --engine auto --color never --no-heading --with-filename --null -j 1
elif [ $gnu = yes ]; then
  kind=gnu; set -- grep -aHZsP
  if ! printf x | grep -qPe x 2>/dev/null; then set -- grep -aHZsE; use_posix; fi
else
  kind=each; use_posix; set -- grep -E
fi
printf x | "$@" -e "$PATTERN" - >/dev/null; [ $? -le 1 ] || exit 2
exec 2>/dev/null
case $kind-$MODE in
  rg-content) set -- "$@" -n -C "$CONTEXT" --no-context-separator --max-columns 4096 --max-columns-preview ;;
  gnu-content) set -- "$@" -n -C "$CONTEXT" --no-group-separator ;;
  *-files_only) set -- "$@" -l ;;
  *-count) set -- "$@" -c ;;
esac
text_files() {
  if [ $gnu = yes ]; then LC_ALL=C xargs -0r grep -IlZse '' --
  else xargs -0r sh -c '${TEXT_FILES}' sh; fi
}
search() {
  if [ $kind = each ]; then xargs -0r sh -c '${EACH_FILE}' sh
  else xargs -0r "$@" -e "$PATTERN" --; fi
}
shorten() { if [ $kind-$MODE = gnu-content ]; then LC_ALL=C cut -b 1-8192; else cat; fi; }
text_files | search "$@" | shorten | head -c "$limit"
exit 0`;
