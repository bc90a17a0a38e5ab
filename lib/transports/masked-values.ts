import { percentRead, secretsInUrl } from './masked-url';

/**
 * What is secret in the value of a header that is masked, in every form that may be repeated elsewhere: the credential without
 * its scheme, the password of `Basic`, the value of each cookie.
 */
export function secretsInHeader(name: string, value: string): readonly string[] {
  const key = name.toLowerCase();
  if (key === 'set-cookie') return cookieValue(value.split(';', 1)[0]!);
  if (key === 'cookie') return value.split(';').flatMap(cookieValue);
  if (key === 'location') return secretsInUrl(value);
  return [value, ...credentialsIn(value)];
}

function cookieValue(pair: string): readonly string[] {
  const value = pair
    .slice(pair.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return [value, percentRead(value)];
}

function credentialsIn(value: string): readonly string[] {
  const [scheme, rest] = value.trim().split(/\s+/, 2);
  if (rest === undefined) return [];
  return /^basic$/i.test(scheme!) ? [rest, passwordIn(rest)] : [rest];
}

function passwordIn(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes).split(':').slice(1).join(':');
  } catch {
    return '';
  }
}
