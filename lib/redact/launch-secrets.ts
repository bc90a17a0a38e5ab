import { byteTextOf, readableText } from './byte-text';
import { scanFrame } from './scan-frame';
import { isWorkingDirectory, namedSecret } from './secret-names';

/** Returns secrets in a server's arguments, by name and by shape, including values of flags with secret names. */
export function secretsInArguments(args: readonly string[]): readonly string[] {
  return secretsIn(args);
}

/** Returns secrets in a server's environment variables, by name and by shape. */
export function secretsInVariables(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(variables).filter(([name, value = '']) => isSecretVariable(name, byteTextOf(value)));
  return [...new Set([...named.map(([, value = '']) => value), ...secretsIn(variables)])].filter(
    (value) => value !== '',
  );
}

/** Returns true if a variable's name makes its value a secret, even a plain word. `PWD` with a path is not one. */
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
