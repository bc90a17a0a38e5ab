import { ModelError } from '@/features/chat/lib/model';
import type { Dialect, ModelProvider } from '@/features/chat/lib/providers';
import { modelBaseUrl } from './model-base-url';
import type { ModelKeys } from './model-keys';

/** The address of a provider, and its key. */
export interface ModelEndpoint {
  readonly provider: ModelProvider;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key?: string;
  /** The environment variable that holds the key, or `typed`. */
  readonly keyFrom?: string;
}

export interface EndpointChoice {
  readonly keys: ModelKeys;
  /** Replaces the provider's usual address. */
  readonly baseUrl?: string | undefined;
  /** True if a person gave `baseUrl` on a command line, so that keys of the environment may go there. */
  readonly trustsBaseUrl?: boolean;
}

/** Finds the address and the key of a provider. Throws a {@link ModelError} if one is missing or invalid. */
export function endpointOf(provider: ModelProvider, { keys, baseUrl, trustsBaseUrl = false }: EndpointChoice) {
  const url = modelBaseUrl(provider, keys, baseUrl);
  const found = keys.find(provider, url, trustsBaseUrl);
  if (!found && provider.needsKey) throw keyMissing(provider, url);
  const endpoint: ModelEndpoint = { provider, baseUrl: url, ...(found && { key: found.key, keyFrom: found.from }) };
  return endpoint;
}

const KEY_HEADERS: Readonly<Record<Dialect, (key: string) => Readonly<Record<string, string>>>> = {
  'openai-responses': (key) => ({ Authorization: `Bearer ${key}` }),
  'openai-chat': (key) => ({ Authorization: `Bearer ${key}` }),
  anthropic: (key) => ({ 'x-api-key': key }),
  google: (key) => ({ 'x-goog-api-key': key }),
};

/** Returns the headers with the key, and those that the dialect always wants. No key is ever in a URL or a body. */
export function endpointHeaders({ key, provider: { dialect } }: ModelEndpoint): Readonly<Record<string, string>> {
  return {
    ...(dialect === 'anthropic' && { 'anthropic-version': '2023-06-01' }),
    ...(key !== undefined && KEY_HEADERS[dialect](key)),
  };
}

function keyMissing({ title, keyVariables: [name] }: ModelProvider, url: string): ModelError {
  return new ModelError(
    'no-key',
    `${title} needs a key, and there is none for ${new URL(url).origin}.`,
    `Set ${name} before starting mcp-inspect, or type the key.`,
  );
}
