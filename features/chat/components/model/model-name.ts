import { MODEL_PROVIDERS } from '@/features/chat/lib/providers';

/** Returns why a text can't be the name of a model; undefined if it can. */
export function modelNameProblem(text: string): string | undefined {
  const model = text.trim();
  if (model === '') return 'Choose a model';
  const [, provider, name] = /^([^:]*):(.*)$/s.exec(model) ?? [];
  if (provider === undefined || name === undefined)
    return 'A model is named provider:model, such as ollama:mistral-small';
  if (provider !== 'scripted' && !MODEL_PROVIDERS.some(({ id }) => id === provider)) {
    return `The provider ${provider.slice(0, 40)} is unknown. Choose one from the list of models`;
  }
  return name.trim() === '' ? `Name a model after ${provider}:` : undefined;
}
