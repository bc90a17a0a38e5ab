import { secretFlagValues } from '@/lib/redact/flag-values';
import { isSecretField } from '@/lib/wire/header-fields';
import type { Launch } from './launch';

type Pairs = readonly (readonly [name: string, value: string | undefined])[];

/** What a server was given and nobody else should see: values of variables, flags, headers and parameters that are named so. */
export function launchSecrets(launch: Launch): readonly string[] {
  if (launch.transport === 'stdio') return [...named(Object.entries(launch.env)), ...secretFlagValues(launch.args)];
  const { headers, client, url } = launch;
  const values = named(headers).flatMap((value) => [value, ...credentialsIn(value)]);
  return [...values, ...named([...new URL(url).searchParams]), client.clientSecret ?? ''];
}

function named(pairs: Pairs): readonly string[] {
  return pairs.flatMap(([name, value]) => (value !== undefined && isSecretField(name) ? [value] : []));
}

/** `Bearer abc` holds `abc`, and `Basic …` a password. */
function credentialsIn(value: string): readonly string[] {
  const [scheme, rest] = value.split(/ +/, 2);
  if (rest === undefined) return [];
  const password = /^basic$/i.test(scheme!) ? Buffer.from(rest, 'base64').toString().split(':').slice(1).join(':') : '';
  return [rest, password];
}
