import { ModelError } from '@/features/chat/lib/model';
import { MODEL_PROVIDERS, type ModelProvider } from '@/features/chat/lib/providers';

/** Characters of a name that a message repeats. */
const SHOWN_CHARS = 100;

export interface NamedModel {
  readonly provider: ModelProvider;
  /** As the provider names it. May contain colons and slashes. */
  readonly model: string;
}

/** Reads `provider:model`. Throws a {@link ModelError} that lists the providers. */
export function parseModelName(name: string): NamedModel {
  const colon = name.indexOf(':');
  const model = name.slice(colon + 1).trim();
  if (colon < 1 || model === '' || /[\p{Cc}\s]/u.test(model)) throw invalidName(name);
  const provider = findProvider(name.slice(0, colon));
  if (provider.dialect === 'google' && !PATH.test(model)) throw invalidName(name);
  return { provider, model };
}

/** Returns a provider by its id. Throws a {@link ModelError} that lists the providers. */
export function findProvider(id: string): ModelProvider {
  const provider = MODEL_PROVIDERS.find((one) => one.id === id.trim().toLowerCase());
  if (provider) return provider;
  throw new ModelError('unknown-provider', `The provider ${shown(id)} is unknown.`, `Use ${FORM}.`);
}

/** Accepts what stays one part of a URL. Google has the model's name there. */
const PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

const FORM = `PROVIDER:MODEL, such as ollama:mistral-small. Providers: ${MODEL_PROVIDERS.map(({ id }) => id).join(', ')}`;

function invalidName(name: string): ModelError {
  return new ModelError('invalid-model-name', `${shown(name)} is not the name of a model.`, `Use ${FORM}.`);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_CHARS));
}
