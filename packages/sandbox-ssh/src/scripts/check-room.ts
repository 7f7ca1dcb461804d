/** `check_room FOLDER`: a disk that is nearly full gets no new sandboxes, which would only fail in the middle. */
export const CHECK_ROOM = `
check_room() {
  free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
  [ "\${free:-65536}" -ge 65536 ] || { echo "only \${free} KiB are free on its disk, at least 65536 are wanted" >&2; return 1; }
}
`;
