/** Shell lines that put offline stand-ins for the usual installers first on the PATH of the verifier. */
export const SHIM_PRELUDE: string = `
hermes_shim=$(mktemp -d) || exit 1
cat > "$hermes_shim/apt-get" <<'HERMES_SHIM'
#!/bin/sh
exit 0
HERMES_SHIM
cat > "$hermes_shim/curl" <<'HERMES_SHIM'
#!/bin/sh
exit 0
HERMES_SHIM
cat > "$hermes_shim/uv" <<'HERMES_SHIM'
#!/bin/sh
exit 0
HERMES_SHIM
cat > "$hermes_shim/uvx" <<'HERMES_SHIM'
#!/bin/bash
ctrf=''
kept=()
while [ $# -gt 0 ]; do
  case "$1" in
    -p|--python|-w|--with) shift 2 ;;
    --ctrf) ctrf=$2; shift 2 ;;
    pytest) shift ;;
    *) kept+=("$1"); shift ;;
  esac
done
python3 -m pytest "\${kept[@]}"
status=$?
if [ -n "$ctrf" ]; then
  failed=0; [ "$status" -eq 0 ] || failed=1
  printf '{"results":{"tool":{"name":"pytest"},"summary":{"failed":%s},"tests":[]}}\\n' "$failed" > "$ctrf"
fi
exit "$status"
HERMES_SHIM
cp "$hermes_shim/apt-get" "$hermes_shim/apt"
chmod +x "$hermes_shim"/*
mkdir -p "$HOME/.local/bin" 2>/dev/null && [ -e "$HOME/.local/bin/env" ] || : > "$HOME/.local/bin/env" 2>/dev/null
export PATH="$hermes_shim:$PATH"
`;
