import { readdir } from 'node:fs/promises';
import type { ModelChoice, ModelsReply, ProviderChoice } from '@/features/chat/lib/chat-api';
import type { ChatSettings } from '@/features/chat/lib/chat-frame';
import { type Model, ModelError } from '@/features/chat/lib/model';
import { MODEL_PROVIDERS, type ModelProvider } from '@/features/chat/lib/providers';
import { systemClock } from '@/lib/wire/clock';
import { isLoopbackName } from '@/lib/wire/url';
import type { ChatModels } from './chats';
import { SCRIPTED } from './command/load-script';
import { listModels, loadModel, type ModelOptions } from './model/load-model';
import { modelBaseUrl, readBaseUrl } from './model/model-base-url';
import { endpointOf } from './model/model-endpoint';
import { ModelKeys } from './model/model-keys';
import { findProvider } from './model/model-name';

/** Milliseconds that a provider may take to list its models. Most of the local ones don’t run. */
const LIST_MS = 4000;
/** Files of the working directory that are read, in search of scripts. */
const MOST_SCRIPTS = 100;

/** The models of the page's chats. Keys are typed or in the environment, and stay here. */
export class PageModels implements ChatModels {
  readonly #keys = new ModelKeys(process.env);
  readonly #options: Omit<ModelOptions, 'keys' | 'baseUrl'>;

  constructor(version: string, allowLinkLocal: boolean) {
    this.#options = { clock: systemClock, version, allowLocal: allowLinkLocal, environment: process.env };
  }

  /**
   * Lists scripts of the working directory, and the models of the provider that somebody chose, or before that, of an
   * Ollama that runs on this machine. Asks nobody else: other servers than a model's may listen on the usual ports.
   */
  async list(chosen: string | undefined, baseUrl: string | undefined): Promise<ModelsReply> {
    const [scripts, asked] = await Promise.all([
      scriptsHere(),
      Promise.all(
        MODEL_PROVIDERS.map((provider) =>
          provider.id === chosen || (chosen === undefined && this.#isLocalOllama(provider))
            ? this.#ask(provider, baseUrl)
            : { choice: choiceOf(provider, this.#problemOf(provider), provider.needsKey), models: [] },
        ),
      ),
    ]);
    return {
      models: [...asked.flatMap(({ models }) => models), ...scripts],
      providers: [...asked.map(({ choice }) => choice), SCRIPTS],
    };
  }

  async load({ model, baseUrl }: ChatSettings): Promise<Model> {
    if (model.startsWith(SCRIPTED)) return (await import('./command/load-script')).loadScript(model);
    return loadModel(model, this.#optionsFor(baseUrl));
  }

  check({ baseUrl }: ChatSettings): void {
    if (baseUrl?.trim()) readBaseUrl(baseUrl.trim());
  }

  setKey(provider: string, baseUrl: string | undefined, key: string): void {
    const found = findProvider(provider);
    this.#keys.type(found, modelBaseUrl(found, this.#keys, baseUrl), key);
  }

  keys(): readonly string[] {
    return this.#keys.values();
  }

  #optionsFor(baseUrl: string | undefined): ModelOptions {
    return { ...this.#options, keys: this.#keys, ...(baseUrl !== undefined && { baseUrl }) };
  }

  async #ask(
    provider: ModelProvider,
    baseUrl: string | undefined,
  ): Promise<{ readonly choice: ProviderChoice; readonly models: readonly ModelChoice[] }> {
    const { id, title } = provider;
    try {
      const names = await listModels(id, this.#optionsFor(baseUrl), AbortSignal.timeout(LIST_MS));
      return {
        choice: choiceOf(provider, '', true),
        models: names.map((name) => ({ id: `${id}:${name}`, note: title })),
      };
    } catch (error) {
      const problem = error instanceof ModelError ? `${error.message} ${error.advice}` : `${title} did not answer.`;
      return { choice: choiceOf(provider, problem, false), models: [] };
    }
  }

  /** True for an Ollama on this machine: its port is its own, and asking it sends nothing to anybody. */
  #isLocalOllama(provider: ModelProvider): boolean {
    if (provider.id !== 'ollama' || this.#problemOf(provider) !== '') return false;
    return isLoopbackName(new URL(modelBaseUrl(provider, this.#keys)).hostname);
  }

  /** Returns why a provider can't be used, as far as that is known without asking it; '' if it can. */
  #problemOf(provider: ModelProvider): string {
    try {
      endpointOf(provider, this.#optionsFor(undefined));
      return '';
    } catch (error) {
      if (error instanceof ModelError) return `${error.message} ${error.advice}`;
      throw error;
    }
  }
}

/** `isKnown`: without a problem, it does answer. */
function choiceOf({ id, title }: ModelProvider, advice: string, isKnown: boolean): ProviderChoice {
  const ready = advice === '';
  return { id, name: title, ready, found: ready && isKnown, advice, takesKey: true };
}

const SCRIPTS: ProviderChoice = {
  id: 'scripted',
  name: 'Script file, no provider',
  ready: true,
  found: false,
  advice: '',
  takesKey: false,
};

/** Returns the scripts of the working directory: files that can be read as one, or are named like one. */
async function scriptsHere(): Promise<readonly ModelChoice[]> {
  const names = await readdir(process.cwd()).catch(() => []);
  const files = names.filter((name) => /\.(?:ya?ml|json)$/i.test(name)).slice(0, MOST_SCRIPTS);
  const { loadScript } = await import('./command/load-script');
  const found = await Promise.all(
    files.map(async (name): Promise<ModelChoice[]> => {
      const id = `${SCRIPTED}${name}`;
      const isScript = await loadScript(id).then(
        () => true,
        () => false,
      );
      if (isScript) return [{ id, note: 'Script file' }];
      return /rules|script/i.test(name) ? [{ id, note: 'Script file, not valid' }] : [];
    }),
  );
  return found.flat();
}
