/** Microseconds of processor time that this process has used: what other programs do does not count. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The least time of a run, measured over as many of them as take a millisecond together. */
export function leastMicroseconds(run: () => unknown, budgetMs: number): number {
  const end = cpuMicroseconds() + budgetMs * 1000;
  let least = Number.POSITIVE_INFINITY;
  for (let times = 1; cpuMicroseconds() < end || least === Number.POSITIVE_INFINITY; ) {
    const begin = cpuMicroseconds();
    for (let time = 0; time < times; time += 1) run();
    const spent = cpuMicroseconds() - begin;
    if (spent < 1000) times *= 2;
    else least = Math.min(least, spent / times);
  }
  return least;
}
