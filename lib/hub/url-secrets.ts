import { namedSecret } from '@/lib/redact/secret-names';
import { secretsInUrl } from '@/lib/transports/masked-url';
import { secretsInHeader } from '@/lib/transports/masked-values';
import { isSecretField } from '@/lib/wire/header-fields';
import type { UrlLaunch } from './url-launch';

/** What a server at a URL was given and nobody else should see: values of headers and parameters that are named so. */
export function urlSecrets({ headers, client, url, secrets = [] }: UrlLaunch): readonly string[] {
  const values = headers.flatMap(([name, value]) => headerSecrets(name, value));
  return [...values, ...secretsInUrl(url), client.clientSecret ?? '', ...secrets];
}

/** What is secret in the value of a header that a server is sent; nothing if its name is no secret's. */
export function headerSecrets(name: string, value: string): readonly string[] {
  const named = namedSecret(name, 'header');
  return isSecretField(name) || (named !== undefined && !named.weak) ? secretsInHeader(name, value) : [];
}
