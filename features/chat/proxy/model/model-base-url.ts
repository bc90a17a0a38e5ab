import { ModelError } from '@/features/chat/lib/model';
import type { ModelProvider } from '@/features/chat/lib/providers';

/** Knows the base URLs that the environment names. */
interface NamedUrls {
  baseUrl(provider: ModelProvider): string | undefined;
}

/**
 * Returns the base URL of a provider: the given one, or that of the environment, or the usual one. A URL without a path
 * gets the provider's usual path. Throws a {@link ModelError}.
 */
export function modelBaseUrl(provider: ModelProvider, named: NamedUrls, given?: string): string {
  const text = given?.trim() || named.baseUrl(provider) || provider.baseUrl;
  if (text === undefined) {
    throw new ModelError(
      'no-base-url',
      `The provider ${provider.id} has no default address.`,
      `Enter the base URL of your server, such as http://127.0.0.1:8000/v1, or set ${provider.urlVariables[0]}.`,
    );
  }
  const url = readBaseUrl(text);
  // OLLAMA_HOST may have no port, and may name the address that the server listens on.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (!SCHEME.test(text) && url.port === '' && provider.baseUrl) url.port = new URL(provider.baseUrl).port;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? provider.basePath : path}`;
}

/** Reads a base URL, which may lack `http://`. Throws a {@link ModelError}. */
export function readBaseUrl(text: string): URL {
  const whole = SCHEME.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const isPlain = url && url.username + url.password + url.search + url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url;
  throw new ModelError(
    'invalid-base-url',
    'The base URL is invalid.',
    'Use an http(s) base URL without credentials, query or fragment. Give the key separately.',
  );
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
