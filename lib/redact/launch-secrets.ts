import { byteTextOf, readableText } from './byte-text';
import { scanFrame } from './scan-frame';
import { isWorkingDirectory, namedSecret } from './secret-names';

/** Secrets in the arguments of a server's command, by name and by shape: values of flags that are named like secrets, too. */
export function secretsInArguments(args: readonly string[]): readonly string[] {
  return secretsIn(args);
}

/** Secrets in the variables that a server is given: what is named like one there, and whatever looks like one. */
export function secretsInVariables(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(variables).filter(([name, value = '']) => isSecretVariable(name, byteTextOf(value)));
  return [...new Set([...named.map(([, value = '']) => value), ...secretsIn(variables)])].filter(
    (value) => value !== '',
  );
}

/** Whatever its value is, words too; only `PWD` with a path is none. */
function isSecretVariable(name: string, value: string): boolean {
  if (isWorkingDirectory(name, value)) return false;
  const secret = namedSecret(name, 'variable');
  return secret !== undefined && !secret.weak;
}

function secretsIn(given: unknown): readonly string[] {
  const values = new Set<string>();
  scanFrame(byteTextOf(JSON.stringify(given)), { weak: false, found: ({ value }) => values.add(readableText(value)) });
  return [...values];
}
