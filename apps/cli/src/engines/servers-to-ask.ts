import type { RunConfig, ServerSettings } from '@hermes/env-core';

/** The servers of a run that needs tokens: the kind of one of which nobody has said it is found out. */
export function serversToAsk({ servers, values }: RunConfig): readonly ServerSettings[] {
  return servers.map((server, index) => {
    const section = servers.length === 1 ? 'openai' : `openai.${index}`;
    const kind = values.find(({ path }) => path === `${section}.server_type`);
    const isSaid = kind?.sources.some((source) => source.kind !== 'default') === true;
    return isSaid ? server : { ...server, serverType: 'auto' };
  });
}
