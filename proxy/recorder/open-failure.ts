import { isFailure } from '@/lib/wire/lifecycle';

/** Why a file can't be opened as a recording, and what to do, for people. `where` says which part of the command line named it. */
export function openFailure(error: unknown, where: string): string {
  if (isFailure(error)) return `${error.message} ${error.advice}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? '')?.(where) ?? `${message}: check the path ${where}.`;
}

const REASONS = new Map<string, (where: string) => string>([
  ['ENOENT', (where) => `There is no such file: check the path ${where}.`],
  ['EACCES', () => 'You may not read it: change its permissions, or ask whom it belongs to.'],
  ['EINVAL', (where) => `It is no file: name one ${where}.`],
  ['EISDIR', () => 'It is a directory: name a file in it.'],
]);
