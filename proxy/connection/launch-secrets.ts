import { urlSecrets } from '@/lib/hub/url-secrets';
import { secretFlagValues } from '@/lib/redact/flag-values';
import { isSecretField } from '@/lib/wire/header-fields';
import type { Launch } from './launch';

type Pairs = readonly (readonly [name: string, value: string | undefined])[];

/** What a server was given and nobody else should see: values of variables, flags, headers and parameters that are named so. */
export function launchSecrets(launch: Launch): readonly string[] {
  if (launch.transport !== 'stdio') return urlSecrets(launch);
  return [...named(Object.entries(launch.env)), ...secretFlagValues(launch.args)];
}

function named(pairs: Pairs): readonly string[] {
  return pairs.flatMap(([name, value]) => (value !== undefined && isSecretField(name) ? [value] : []));
}
