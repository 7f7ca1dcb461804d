import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { OpenTelemetrySettings, WandbSettings } from './types.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the variables of OpenTelemetry (`OTEL_EXPORTER_OTLP_...`) say; null where they name no endpoint. */
export function openTelemetrySettings(variables: Variables): OpenTelemetrySettings | null {
  const own = variables.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
  const common = variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = own || (common && `${common.replace(/\/$/, '')}/v1/metrics`);
  if (!url || variables.OTEL_SDK_DISABLED === 'true') return null;
  const timeout = Number(
    variables.OTEL_EXPORTER_OTLP_METRICS_TIMEOUT || variables.OTEL_EXPORTER_OTLP_TIMEOUT,
  );
  const service = variables.OTEL_SERVICE_NAME;
  return {
    url,
    headers: {
      ...pairs(variables.OTEL_EXPORTER_OTLP_HEADERS),
      ...pairs(variables.OTEL_EXPORTER_OTLP_METRICS_HEADERS),
    },
    attributes: {
      ...pairs(variables.OTEL_RESOURCE_ATTRIBUTES),
      ...(service ? { 'service.name': service } : {}),
    },
    ...(timeout > 0 ? { timeoutMs: timeout } : {}),
  };
}

/** `a=1,b=2`, percent-encoded. */
function pairs(text = ''): Readonly<Record<string, string>> {
  const entries = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // written without encoding
  }
}

/** Whether, and how, runs can go to Weights & Biases: `off` when `WANDB_MODE` says so, `no_key` where a network would be needed and there is neither `WANDB_API_KEY` nor a login in `.netrc`. */
export async function wandbMode(
  variables: Variables,
): Promise<WandbSettings['mode'] | 'off' | 'no_key'> {
  const mode = (variables.WANDB_MODE ?? '').toLowerCase();
  if (mode === 'disabled') return 'off';
  if (mode === 'offline' || mode === 'dryrun') return 'offline';
  return variables.WANDB_API_KEY || (await isLoggedIn(variables)) ? 'online' : 'no_key';
}

async function isLoggedIn(variables: Variables): Promise<boolean> {
  const url = variables.WANDB_BASE_URL || 'https://api.wandb.ai';
  const host = URL.canParse(url) ? new URL(url).host : url;
  const path = variables.NETRC || join(variables.HOME || homedir(), '.netrc');
  const text = await readFile(path, 'utf8').catch(() => ''); // no such file: no login
  return text.split(/\s+/).some((word, at, words) => word === 'machine' && words[at + 1] === host);
}
