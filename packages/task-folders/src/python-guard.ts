/**
 * Shell lines that keep the agent's folders from standing in for Python's own modules in the verifier. `python3 -c` and
 * `python3 -m` look into the working directory first, so that a `json.py` or `pytest.py` there would run inside the
 * verifier. From Python 3.11 on the working directory comes last instead, and so does the folder of a script of the agent's; what
 * the tests import from there is found all the same. A verifier that sets PYTHONSAFEPATH or PYTHONPATH itself is left alone.
 */
export const PYTHON_PRELUDE: string = `
if [ -z "\${PYTHONSAFEPATH+set}\${PYTHONPATH+set}" ] && hermes_python=$(mktemp -d); then
cat > "$hermes_python/sitecustomize.py" <<'HERMES_PYTHON'
import os, sys
if getattr(sys.flags, 'safe_path', False):
    own = os.environ.get('TESTS_DIR', '/tests')
    words = list(getattr(sys, 'orig_argv', []))[1:]
    script = next((word for word in words if not word.startswith('-')), '')
    if '-c' not in words and '-m' not in words and os.path.isfile(script):
        folder = os.path.dirname(os.path.realpath(script))
        trusted = (folder + '/').startswith(os.path.realpath(own) + '/')
        sys.path.insert(0, folder) if trusted else sys.path.append(folder)
    else:
        sys.path.append(os.getcwd())
HERMES_PYTHON
export PYTHONSAFEPATH=1 PYTHONPATH="$hermes_python"
fi
`;
