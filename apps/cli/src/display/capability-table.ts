import type { Capabilities } from '@hermes/sandbox';
import type { ProviderReport } from '../sandboxes/provider-reports.ts';
import { formatTable } from './table.ts';

/** A column for each provider, a row for each capability: as proved here, and in brackets what is only declared. */
export function formatCapabilities(reports: readonly ProviderReport[]): string {
  const columns = reports.map(cellsOf);
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const rows = names.map((name) => [name, ...columns.map((column) => column.get(name) ?? '-')]);
  return formatTable(['capability', ...reports.map(({ name }) => name)], rows);
}

function cellsOf({ declared, report }: ProviderReport): Map<string, string> {
  const said = flat(declared);
  const proved = report.ok ? flat(report.capabilities) : new Map<string, string>();
  const names = [...new Set([...said.keys(), ...proved.keys()])];
  return new Map(names.map((name) => [name, cell(said.get(name) ?? '-', proved.get(name))]));
}

/** proved: undefined where nothing could be proved. */
function cell(declared: string, proved: string | undefined): string {
  if (proved === undefined) return declared === '-' ? '-' : `(${declared})`;
  return declared === proved ? proved : `${proved} (${declared})`;
}

/** `resourceLimits: { cpu: true }` is the row `resourceLimits.cpu`. */
function flat(capabilities: Capabilities | null): Map<string, string> {
  const entries = Object.entries(capabilities ?? {}).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, shown(one)] as const)
      : [[name, shown(value)] as const],
  );
  return new Map(entries);
}

function shown(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false || value === undefined) return '-';
  if (value === null) return 'no limit';
  return Array.isArray(value) ? value.join(' ') : String(value);
}
