import type { Model } from '@/features/chat/lib/model';
import type { Clock } from '@/lib/wire/clock';
import type { Resolver } from '@/proxy/egress/address-policy';
import { LazyEgress } from '@/proxy/egress/lazy-egress';
import type { TlsMaterial } from '@/proxy/egress/tls-material';
import { type EndpointChoice, endpointOf } from './model-endpoint';
import { findProvider, parseModelName } from './model-name';

export interface ModelOptions extends EndpointChoice {
  readonly clock: Clock;
  /** Our version, for `User-Agent`. */
  readonly version: string;
  /** Allows link-local addresses and metadata services: `--allow-link-local`. */
  readonly allowLocal: boolean;
  /** May name HTTP proxies. Absent: every connection is direct. */
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
  readonly tls?: TlsMaterial;
  readonly resolve?: Resolver;
}

/**
 * Returns the model that `provider:model` names. Sends nothing, so the model may not exist. Rejects with a
 * {@link ModelError} if the name, the address or the key is missing or invalid.
 */
export async function loadModel(name: string, options: ModelOptions): Promise<Model> {
  const { provider, model } = parseModelName(name);
  const endpoint = endpointOf(provider, options);
  const { ProviderModel } = await import('./provider-model');
  return new ProviderModel(model, endpoint, linkOf(options));
}

/** Lists the models of an endpoint, sorted by name. Rejects with a {@link ModelError}. */
export async function listModels(
  provider: string,
  options: ModelOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const endpoint = endpointOf(findProvider(provider), options);
  const { readModelList } = await import('./model-list');
  const link = linkOf(options);
  try {
    return await readModelList(endpoint, link, signal);
  } finally {
    link.close();
  }
}

function linkOf({ clock, version, allowLocal, environment, tls, resolve }: ModelOptions): LazyEgress {
  return new LazyEgress({
    clock,
    version,
    allowLocal,
    ...(environment && { environment }),
    ...(tls && { tls }),
    ...(resolve && { resolve }),
  });
}
