import type { ToolContext } from '@hermes/tools';

/**
 * Removes what an image has brought to a place, so that what the agent removed or renamed there does not come back beside what
 * it left. What cannot be removed stays. Where no images are run there is nothing to remove.
 */
export async function clearPlace(verifier: ToolContext, place: string): Promise<void> {
  const { sandbox } = verifier;
  if (sandbox?.capabilities.images !== true || place === '/') return;
  const found = await verifier.stat(place);
  if (!found.ok) return;
  const entries = found.value.type === 'directory' ? await sandbox.files.list(place) : null;
  const paths = entries?.ok === true ? entries.value.map(({ path }) => path) : [];
  for (const path of entries === null ? [place] : paths) await verifier.remove(path);
}
