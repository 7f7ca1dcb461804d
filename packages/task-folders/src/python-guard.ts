/**
 * Shell lines that keep the agent's folders from standing in for Python's own modules in the verifier. `python3 -c`,
 * `python3 -m` and a script of the agent's look into the agent's folder first, so that a `json.py` there would run inside
 * the verifier. From Python 3.11 on that folder comes last instead: what is imported from there is found all the same. A
 * verifier or an image that sets PYTHONSAFEPATH or PYTHONPATH itself is left alone.
 */
export const PYTHON_PRELUDE: string = `
if [ -z "\${PYTHONSAFEPATH+set}\${PYTHONPATH+set}" ] && hermes_python=$(mktemp -d); then
cat > "$hermes_python/sitecustomize.py" <<'HERMES_PYTHON'
import os, sys
if getattr(sys.flags, 'safe_path', False):
    script = os.path.realpath(sys.argv[0]) if sys.argv and os.path.exists(sys.argv[0]) else ''
    folder = script if os.path.isdir(script) else os.path.dirname(script)
    tests = os.path.realpath(os.environ.get('TESTS_DIR', '/tests'))
    if (folder + os.sep).startswith(tests + os.sep):
        sys.path.insert(0, folder)
    else:
        sys.path.append(folder or os.getcwd())
HERMES_PYTHON
export PYTHONSAFEPATH=1 PYTHONPATH="$hermes_python"
fi
`;
