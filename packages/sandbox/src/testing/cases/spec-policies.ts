import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { imageKinds } from '../../core/policy.ts';
import type { ImageSpec } from '../../types.ts';
import type { CaseContext, ConformanceCase } from '../conformance-case.ts';
import { codeOf } from '../run-case.ts';
import { decode, okValue, output } from './_run.ts';

const mebibyte = 1024 * 1024;

const images: readonly ImageSpec[] = [
  { kind: 'ref', ref: 'hermes-kit-unclaimed:none' },
  { kind: 'build', contextDir: '/hermes-kit-unclaimed' },
  { kind: 'snapshot', id: 'hermes-kit-unclaimed' },
  { kind: 'sif', path: '/hermes-kit-unclaimed.sif' },
  { kind: 'rootfs', path: '/hermes-kit-unclaimed' },
];

/** What a sandbox is made of: images, mounts, shared memory. */
export const specPolicyCases: readonly ConformanceCase[] = [
  {
    group: 'lifecycle',
    name: 'a kind of image that is not claimed is refused before anything exists',
    needs: [],
    proves: ['imageKinds'],
    run: async (context) => {
      const claimed = claimedKinds(context);
      for (const image of images.filter(({ kind }) => !claimed.includes(kind))) {
        const code = await context.open({ image }).then(() => `${image.kind} accepted`, codeOf);
        expect(code).toBe('UNSUPPORTED');
      }
    },
  },
  {
    group: 'lifecycle',
    name: 'the image that the kit was given is the one that runs',
    needs: ['images'],
    run: async ({ open, spec }) => {
      const image = spec().image ?? { kind: 'ref', ref: 'debian:bookworm-slim' };
      const { info } = await open({ image });
      expect(info.image).not.toBeNull();
    },
  },
  {
    group: 'lifecycle',
    name: 'a mounted folder is there, and a read-only one stays as it is',
    needs: ['mounts'],
    run: async ({ open, localFolder }) => {
      const source = await localFolder();
      await writeFile(join(source, 'given'), 'mounted');
      const target = '/mnt/hermes-kit';
      const sandbox = await open({ mounts: [{ source, target, readOnly: true }] });
      expect(decode(okValue(await sandbox.files.read(`${target}/given`)))).toBe('mounted');
      expect((await sandbox.files.write(`${target}/new`, 'x')).ok).toBe(false);
    },
  },
  {
    group: 'lifecycle',
    name: 'where sandboxes can be nested, root inside makes namespaces and mounts',
    needs: ['shell', 'nesting'],
    run: async ({ open }) => {
      const sandbox = await open({ nesting: true });
      const inside = 'mkdir -p nested && mount -t tmpfs none nested && echo made > nested/file';
      const script = `unshare --mount sh -c '${inside} && cat nested/file'; ls nested`;
      expect(await output(sandbox, script)).toBe('made\n');
    },
  },
  {
    group: 'limits',
    name: 'shared memory has the size that was asked for',
    needs: ['shell', 'shm'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { shmBytes: 32 * mebibyte } });
      const kibibytes = await output(sandbox, `df -k /dev/shm | tail -n 1 | awk '{ print $2 }'`);
      expect(Number(kibibytes)).toBe(32 * 1024);
    },
  },
];

function claimedKinds({ capabilities }: CaseContext): readonly string[] {
  return imageKinds(capabilities);
}
