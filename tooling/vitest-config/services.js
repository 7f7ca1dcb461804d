const everything =
  'atroposlib,bubblewrap,datasets,docker,go,huggingface_hub,math-verify,openenv-core,opentelemetry-proto,sshd,tensorboard,transformers,wandb';

export function isExpected(service) {
  return (process.env.HERMES_TEST_SERVICES ?? everything).split(',').includes(service);
}

/** Where the Python packages that serve as referees are. A package manager may put another `python3` before it. */
export const pythonCommand = process.env.HERMES_TEST_PYTHON ?? 'python3';
