import { byteTextOf, decodedText } from './byte-text';
import { secretName } from './names';
import { scanFrame } from './scan-frame';
import { FOLDER_PATH } from './value-rows';

/** Returns secrets in a server's arguments, by name and by shape, including values of flags with secret names. */
export function secretsInArguments(args: readonly string[]): readonly string[] {
  return secretsIn(args);
}

/** Returns secrets in a server's environment variables, by shape and by name. After some names, a word is one too. */
export function secretsInVariables(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(variables).filter(([name, value = '']) => {
    const secret = secretName(name, 'variable');
    return secret && secret.grade !== 'weak' && !(secret.orFolder && FOLDER_PATH.test(byteTextOf(value)));
  });
  const values = [...named.map(([, value = '']) => value), ...secretsIn(variables)];
  return [...new Set(values)].filter((value) => value !== '');
}

function secretsIn(given: unknown): readonly string[] {
  const values = new Set<string>();
  scanFrame(byteTextOf(JSON.stringify(given)), { weak: false, found: ({ value }) => values.add(decodedText(value)) });
  return [...values];
}
