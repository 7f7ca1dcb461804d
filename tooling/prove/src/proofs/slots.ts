import { strict as assert } from 'node:assert';
import { createEffects } from '@hermes/env-core';
import type { Logger } from '@hermes/protocol';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider as createDocker } from '@hermes/sandbox-docker';
import { createSandboxProvider, type SlotPoolProvider } from '@hermes/sandbox-slot-pool';
import type { Proof, ProofOptions } from '../proof.ts';

const image = process.env.TERMINAL_DOCKER_IMAGE ?? 'hermes-test/debian:1';
const workers = 4;
const context = { openProvider: () => Promise.reject(new Error('no other provider is opened')) };

/** What a lease leaves, one of these each. */
const leaving = [
  'for d in / /etc /usr/bin /root /tmp /var/tmp /opt; do echo left > $d/left-behind; done; echo left > left-behind',
  '(setsid sh -c \'trap "" TERM HUP; while :; do sleep 31337; done\' >/dev/null 2>&1 </dev/null &); sleep 0.05',
  'mkdir -p closed/deep && touch closed/deep/x && chmod 000 closed/deep closed; rm -rf /usr/lib/python3*',
  'echo left > /dev/shm/left; head -c 8M /dev/zero > /var/full; truncate -s 100G sparse',
  'python3 -c "import socket, time; s = socket.socket(); s.bind((\'0.0.0.0\', 8080)); s.listen(); time.sleep(600)" >/dev/null 2>&1 &',
  'cat /dev/zero > /var/full 2>/dev/null; true',
  'exec sleep 0.01',
];

/** Prints what the next one sees of it. */
const looking = `find / -xdev -name left-behind 2>/dev/null; ls -A . /dev/shm | grep -v -e : -e '^$'; awk '$4 == "0A"' /proc/net/tcp
grep -lz '[3]1337' /proc/[0-9]*/cmdline 2>/dev/null; [ -d /usr/lib/python3 ] || echo no python; [ ! -e /var/full ] || echo full`;

/** What the container holds once the next slot of each place waits: it must be the same at the end as at the beginning. */
const counting = `tries=0
until [ "$(ls .hermes-slots | grep -c ^slot-)" = ${workers} ] || [ $tries = 100 ]; do sleep 0.1; tries=$((tries + 1)); done
set -- /proc/[0-9]*; echo "processes $#"; echo "mounts $(wc -l < /proc/self/mountinfo)"
echo "records $(ls .hermes-slots | grep -c ^slot-)"; echo "groups $(find /sys/fs/cgroup -name 'hermes-slot-*' 2>/dev/null | wc -l)"`;

export const slots: Proof = {
  name: 'slots',
  claim:
    `Slots of one container are leased by ${workers} at once, each lease leaving files, processes, ports, shared memory or a full disk. No later lease sees any of it, none is quarantined, ` +
    'and the container then holds as many processes, mounts and control groups as after the first ' +
    `${workers}.`,
  fullCount: 1000,
  shareCount: 50,
  async run({ seed, count, say }: ProofOptions) {
    const containers: Sandbox[] = [];
    const pool = await openPool(containers, say);
    try {
      const { random } = createEffects({}, seed);
      const first = Array.from({ length: workers }, (_, turn) => `first-${turn}`);
      await Promise.all(first.map((key) => playLease(pool, 'true', key)));
      const before = await countIn(containers[0]);
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < count) {
          next += 1;
          const turn = next;
          const script = leaving[Math.floor(random.next() * leaving.length)] ?? 'true';
          await playLease(pool, script, `lease-${turn}`);
          if (turn % 100 === 0) say(`${turn} of ${count} leases`);
        }
      };
      await Promise.all(Array.from({ length: workers }, work));
      const { totals, quarantinedSlots } = pool.stats();
      assert.deepEqual([containers.length, quarantinedSlots, totals.quarantines], [1, 0, 0]);
      assert.equal(await countIn(containers[0]), before);
      return { leases: totals.leases, containers: containers.length, 'slots in quarantine': 0 };
    } finally {
      await pool.close();
    }
  },
};

/** A pool of one container, which is shown to the proof. */
function openPool(containers: Sandbox[], say: (line: string) => void): Promise<SlotPoolProvider> {
  const settings = {
    ...{ maxSandboxes: 1, slotsPerSandbox: workers, maxLeases: 1_000_000 },
    slot: { diskBytes: 64 * 1024 ** 2, pids: 128 },
  };
  const logger: Logger = {
    log: (_level, message, fields) => say(`${message} ${JSON.stringify(fields ?? {})}`),
  };
  return createSandboxProvider(settings, {
    effects: { logger },
    openProvider: async (): Promise<SandboxProvider> => {
      const docker = await createDocker({ image }, context);
      const create: SandboxProvider['create'] = async (spec, options) => {
        const sandbox = await docker.create(spec, options);
        containers.push(sandbox);
        return sandbox;
      };
      return { ...docker, create };
    },
  });
}

async function playLease(pool: SlotPoolProvider, script: string, key: string): Promise<void> {
  await using slot = await pool.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey: key });
  assert.equal(await output(slot, looking), '', `${key} sees what another has left`);
  await slot.exec({ command: { script }, timeoutMs: 60_000, background: 'adopt' });
}

async function countIn(container: Sandbox | undefined): Promise<string> {
  assert(container);
  return output(container, counting);
}

async function output(sandbox: Sandbox, script: string): Promise<string> {
  const result = await sandbox.exec({ command: { script }, timeoutMs: 60_000 });
  return result.stdout.text();
}
