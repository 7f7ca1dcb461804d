const everything = 'bubblewrap,docker,go,huggingface_hub,math-verify,sshd';

export function isExpected(service) {
  return (process.env.HERMES_TEST_SERVICES ?? everything).split(',').includes(service);
}
