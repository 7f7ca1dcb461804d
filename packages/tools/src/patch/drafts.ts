import { isFailure, type PatchFailure, type PatchTarget } from './patch-target.ts';

/** A file as it is after the operations so far. */
type Draft = Readonly<{ bytes: Uint8Array | null; mode: number | null }>;

/** Looks at a file of the sandbox. */
export type OpenTarget = (spelled: string) => Promise<PatchTarget | PatchFailure>;

/** The files that a patch names, as they would be. */
export type Drafts = Readonly<{
  open: (
    spelled: string,
  ) => Promise<Readonly<{ path: string; isLink: boolean; draft: Draft }> | PatchFailure>;
  set: (path: string, draft: Draft) => void;
  /** The files as they were found. */
  targets: () => readonly PatchTarget[];
}>;

/** Drafts of nothing yet: a file is looked at when it is first named. */
export function createDrafts(open: OpenTarget): Drafts {
  const drafts = new Map<string, Draft>();
  const targets = new Map<string, PatchTarget>();
  return {
    async open(spelled) {
      const target = await open(spelled);
      if (isFailure(target)) return target;
      const { path, stat, bytes } = target;
      const draft = drafts.get(path) ?? { bytes, mode: stat === null ? null : stat.mode & 0o7777 };
      if (!targets.has(path)) targets.set(path, target);
      drafts.set(path, draft);
      return { path, isLink: target.isLink, draft };
    },
    set: (path, draft) => drafts.set(path, draft),
    targets: () => [...targets.values()],
  };
}
