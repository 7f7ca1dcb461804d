import { type BuiltinProvider, builtinProviders } from '../sandboxes/builtin-providers.ts';
import type { ProviderKey } from '../sandboxes/provider-keys.ts';
import type { KeyExplanation } from './key-explanation.ts';

const VALUE_TYPES = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  list: 'a list of texts',
};

/** The keys of sandbox providers; local, bubblewrap and host have the same. */
export function explainedProviderKeys(): readonly KeyExplanation[] {
  const names = new Set(builtinProviders.flatMap(keysOf).map(({ key }) => key));
  return [...names].flatMap((name) => {
    const owners = builtinProviders.filter((one) => keysOf(one).some(({ key }) => key === name));
    const key = owners.flatMap(keysOf).find((one) => one.key === name);
    if (key === undefined) return [];
    return [
      {
        path: `env.${name}`,
        meaning: `setting ${key.setting} of the sandbox provider`,
        type: VALUE_TYPES[key.kind ?? 'text'],
        default: null,
        example: `${name}: ...`,
        flag: null,
        variable: key.variable ?? null,
        aliases: [],
        wrongNames: [],
        readers: owners.map((owner) => `provider ${owner.name}`),
      },
    ];
  });
}

function keysOf({ keys, spec }: BuiltinProvider): readonly ProviderKey[] {
  return [...keys, ...(spec?.keys ?? [])];
}
