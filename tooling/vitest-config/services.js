const everything = 'bubblewrap,go';

export function isExpected(service) {
  return (process.env.HERMES_TEST_SERVICES ?? everything).split(',').includes(service);
}
