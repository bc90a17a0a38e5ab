import { ModelError } from '@/features/chat/lib/model';
import { MODEL_PROVIDERS, type ModelProvider } from '@/features/chat/lib/providers';
import { modelBaseUrl } from './model-base-url';

/** Environment variables by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Characters of the longest key. A longer text is a pasted file. */
const MOST_KEY_CHARS = 4096;

/**
 * The keys of models: those of the environment, and typed ones, which are held in memory only. A key goes only to the
 * address that it was given for, so that a file or a page that names another one can't collect it.
 */
export class ModelKeys {
  readonly #environment: Variables;
  /** By provider and origin. */
  readonly #typed = new Map<string, string>();
  readonly #listeners = new Set<(key: string) => void>();

  constructor(environment: Variables) {
    this.#environment = environment;
  }

  /**
   * Keeps a typed key for the address that requests will go to, and forgets the one before. '' only forgets. Throws a
   * {@link ModelError} if it can't be a key.
   */
  type(provider: ModelProvider, url: string, text: string): void {
    const key = text.trim();
    const place = placeOf(provider, url);
    this.#typed.delete(place);
    if (key === '') return;
    if (!isKey(key)) throw invalidKey('The typed text');
    this.#typed.set(place, key);
    for (const listener of this.#listeners) listener(key);
  }

  /** Returns the key for an address, and where it is from. A typed one wins. Throws a {@link ModelError}. */
  find(
    provider: ModelProvider,
    url: string,
    isTrusted: boolean,
  ): { readonly key: string; readonly from: string } | undefined {
    const typed = this.#typed.get(placeOf(provider, url));
    if (typed !== undefined) return { key: typed, from: 'typed' };
    const name = provider.keyVariables.find((one) => this.#environment[one]?.trim());
    if (name === undefined || !(isTrusted || this.#isOwn(provider, url))) return undefined;
    const key = this.#environment[name]!.trim();
    if (!isKey(key)) throw invalidKey(name);
    return { key, from: name };
  }

  /** The base URL that the environment names for a provider. */
  baseUrl({ urlVariables }: ModelProvider): string | undefined {
    const name = urlVariables.find((one) => this.#environment[one]?.trim());
    return name === undefined ? undefined : this.#environment[name]!.trim();
  }

  /** Returns every key, for redactors. */
  values(): readonly string[] {
    const own = MODEL_PROVIDERS.flatMap(({ keyVariables }) => keyVariables).map((name) => this.#environment[name]);
    return [...own.flatMap((value) => value?.trim() || []), ...this.#typed.values()];
  }

  /** Calls `listener` with each key that is typed from now on. Returns what ends that. */
  onTyped(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #isOwn(provider: ModelProvider, url: string): boolean {
    const own = [provider.baseUrl, this.#readBaseUrl(provider)];
    return own.some((one) => one !== undefined && originOf(one) === originOf(url));
  }

  /** Returns the environment's base URL as requests use it: a variable may have no scheme or port. */
  #readBaseUrl(provider: ModelProvider): string | undefined {
    try {
      return this.baseUrl(provider) === undefined ? undefined : modelBaseUrl(provider, this);
    } catch (error) {
      // A malformed one is nobody's address.
      if (error instanceof ModelError) return undefined;
      throw error;
    }
  }
}

/** Accepts what fits into a header. */
function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && text.length <= MOST_KEY_CHARS;
}

function placeOf({ id }: ModelProvider, url: string): string {
  return `${id} ${originOf(url)}`;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function invalidKey(what: string): ModelError {
  return new ModelError(
    'invalid-key',
    `${what} can’t be a key: it has spaces, line breaks or other characters that no key has.`,
    'Copy the key again.',
  );
}
