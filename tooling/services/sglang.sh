#!/bin/sh
# SGLang on the processor, for the tests of token engines against a real one, on top of the vLLM of vllm.sh (the same torch). Its kernels for processors are in
# no index: an empty package takes their place, and what a plain dense model needs falls back to torch. Good for facts, not for speed.
#
#   sglang.sh install           into the cache; installs vLLM too
#   sglang.sh check             succeeds when it is there
#   sglang.sh run MODEL PORT    serves a model folder in the foreground; ends on SIGTERM
#
# HERMES_SERVICES_CACHE: where it is kept, in `sglang`. Default: ~/.cache/hermes-services.
set -eu

services=$(dirname "$0")
cache=${HERMES_SERVICES_CACHE:-${HOME:-/root}/.cache/hermes-services}
folder=$cache/sglang
python=$folder/bin/python
packages='sglang==0.5.23 torchvision==0.28.0 timm==1.0.25 gguf orjson interegular outlines==0.1.11 IPython decorator jedi matplotlib-inline pexpect
prompt_toolkit stack_data traitlets executing asttokens pure_eval parso wcwidth ptyprocess pygments ipython_pygments_lexers uvloop python-multipart xxhash
zstandard pybase64 torch_memory_saver nvidia-ml-py openai-harmony==0.0.4 soundfile cffi pycparser blobfile lxml smg-grpc-servicer diskcache airportsdata
pycountry nest_asyncio referencing tml-renderers==0.1.0'

install() {
  sh "$services/vllm.sh" install
  rm -rf "$folder"
  python3 -m venv "$folder"
  own=$(site_of "$python")
  site_of "$cache/vllm/bin/python" >"$own/zz_vllm.pth"
  # shellcheck disable=SC2086 # a list of names
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps $packages
  mkdir -p "$own/sgl_kernel"
  cat >"$own/sgl_kernel/__init__.py" <<'END'
__version__ = '0.0.0'
def __getattr__(name):
    if name.startswith('__'): raise AttributeError(name)
    def missing(*args, **named): raise NotImplementedError('sgl_kernel.' + name)
    return missing
END
  touch "$folder/complete"
}

site_of() {
  "$1" -c 'import site; print(site.getsitepackages()[0])'
}

run() {
  export SGLANG_USE_CPU_ENGINE=1 HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1 OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"
  exec "$python" -m sglang.launch_server --model-path "$1" --host 127.0.0.1 --port "$2" --device cpu --dtype float32 --context-length 4096 \
    --attention-backend torch_native --sampling-backend pytorch --disable-overlap-schedule --disable-cuda-graph --max-total-tokens 32768 \
    --max-running-requests 4 --mem-fraction-static 0.1 --skip-server-warmup
}

case "${1:-check}" in
  install) [ -f "$folder/complete" ] || install ;;
  check) [ -f "$folder/complete" ] ;;
  run) run "$2" "$3" ;;
  *) echo "sglang.sh: unknown command $1: install, check or run" >&2 && exit 2 ;;
esac
