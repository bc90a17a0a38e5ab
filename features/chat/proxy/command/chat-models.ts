import { type Model, ModelError } from '@/features/chat/lib/model';
import type { ModelProvider } from '@/features/chat/lib/providers';
import { systemClock } from '@/lib/wire/clock';
import { isLoopbackName } from '@/lib/wire/url';
import { usageError } from '@/proxy/cli/exit-code';
import { loadModel } from '../model/load-model';
import { modelBaseUrl } from '../model/model-base-url';
import { endpointOf, type ModelEndpoint } from '../model/model-endpoint';
import { ModelKeys } from '../model/model-keys';
import { parseModelName } from '../model/model-name';
import { loadScript, SCRIPTED } from './load-script';

interface ModelsOptions {
  readonly version: string;
  readonly allowLinkLocal: boolean;
  /**
   * Replaces the usual address of the first model’s provider. A person named it for that, so only the keys of that
   * provider may go there.
   */
  readonly baseUrl?: string | undefined;
  /** With `baseUrl`, models of other providers are refused. Otherwise these keep their usual address. */
  readonly refusesOthers?: true;
  /** Prints a sentence for people. */
  readonly printNote?: (text: string) => void;
  /** A key that was given with the model. */
  readonly key?: string | undefined;
}

/** The models that a subcommand has loaded, by name. */
export class LoadedModels {
  readonly keys = new ModelKeys(process.env);
  readonly #options: ModelsOptions;
  readonly #loaded = new Map<string, Model>();
  /** Id of the provider that the base URL is for. */
  #urlProvider: string | undefined;
  /** Addresses that were noted. */
  readonly #noted = new Set<string>();

  constructor(options: ModelsOptions) {
    this.#options = options;
  }

  /** Loads a model once. A script is looked up in `folder`. Rejects with a ModelError. */
  async load(name: string, folder = '.'): Promise<Model> {
    const isScript = name.startsWith(SCRIPTED);
    if (
      isScript &&
      this.#options.baseUrl !== undefined &&
      this.#urlProvider === undefined &&
      !this.#options.refusesOthers
    )
      throw usageError(
        '`--model-option url` is for the provider of `--model`, and a script has none: remove one of them.',
      );
    const key = isScript ? `${folder}\n${name}` : name;
    const known = this.#loaded.get(key);
    if (known) return known;
    const model = isScript ? await loadScript(name, folder) : await this.#loadProvider(name);
    this.#loaded.set(key, model);
    return model;
  }

  async #loadProvider(name: string): Promise<Model> {
    const { version, allowLinkLocal, key } = this.#options;
    if (key !== undefined) this.#typeKey(name, key);
    const { provider } = parseModelName(name);
    const baseUrl = this.#urlFor(provider);
    const choice = { keys: this.keys, ...(baseUrl !== undefined && { baseUrl, trustsBaseUrl: true }) };
    const model = await loadModel(name, {
      ...choice,
      clock: systemClock,
      version,
      environment: process.env,
      allowLocal: allowLinkLocal,
    });
    this.#noteClearKey(endpointOf(provider, choice));
    return model;
  }

  /** Returns the given base URL if it is for this provider. Throws an ExitError. */
  #urlFor({ id }: ModelProvider): string | undefined {
    const { baseUrl, refusesOthers } = this.#options;
    if (baseUrl === undefined) return undefined;
    this.#urlProvider ??= id;
    if (id === this.#urlProvider) return baseUrl;
    if (!refusesOthers) return undefined;
    throw usageError(
      `\`--model-option url\` is for one provider, and there are models of ${this.#urlProvider} and ${id}. Run them one by one.`,
    );
  }

  #noteClearKey({ provider, baseUrl, key }: ModelEndpoint): void {
    const { protocol, hostname, host } = new URL(baseUrl);
    if (key === undefined || protocol !== 'http:' || isLoopbackName(hostname) || this.#noted.has(host)) return;
    this.#noted.add(host);
    this.#options.printNote?.(
      `mcp-inspect: The key of ${provider.title} goes to ${host} unencrypted: others on the way can read it. Use https.`,
    );
  }

  /**
   * Loads a model. While its key is missing or can’t be one, `ask` gets one, which is held in memory only. Rejects with
   * an ExitError.
   */
  async loadAsking(name: string, ask?: AskKey): Promise<Model> {
    try {
      return await this.load(name);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.code !== 'no-key' || !ask) throw usageError(`${error.message} ${error.advice}`);
      return this.#askKey(name, error, ask);
    }
  }

  /** Asks for another key of a model, and loads it with that. Rejects with an ExitError. */
  async changeKey(name: string, ask: AskKey): Promise<Model> {
    if (name.startsWith(SCRIPTED)) throw usageError('A scripted model has no key.');
    const { title } = parseModelName(name).provider;
    return this.#askKey(name, new ModelError('no-key', `Another key of ${title}.`, 'Nothing was changed.'), ask);
  }

  async #askKey(name: string, why: ModelError, ask: AskKey): Promise<Model> {
    for (let reason = why; ; ) {
      const key = await ask(`${reason.message} Type it (not shown or kept; Enter alone goes back): `);
      if (!key?.trim()) throw usageError(`${why.message} ${why.advice}`);
      try {
        if (key.trim().startsWith('/')) throw new ModelError('invalid-key', 'Commands do not work here.', why.advice);
        this.#typeKey(name, key);
        this.#loaded.delete(name);
        return await this.load(name);
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== 'invalid-key') throw error;
        reason = error;
      }
    }
  }

  #typeKey(name: string, key: string): void {
    const { provider } = parseModelName(name);
    this.keys.type(provider, modelBaseUrl(provider, this.keys, this.#urlFor(provider)), key);
  }
}

/** Asks a person for a key, without showing what is typed. */
type AskKey = (question: string) => Promise<string | undefined>;
