import { MASK } from '@/lib/wire/http-frame';
import { isSecretName } from '@/lib/wire/secret-names';
import { percentDecoded } from '@/lib/wire/url';

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;
const PARAMETER = /([?&#])([^=&?#]+)=([^&#]*)/g;
/** Matches a placeholder of a config, which is not a secret. */
const PLACEHOLDER = /^\$\{[^{}$]+\}$/;

/**
 * Masks the user info of a URL, and the values of secret-looking parameters in its query and fragment. The rest stays
 * as written.
 */
export function maskedUrl(url: string): string {
  const bare = url.replace(USER_INFO, `$1${MASK}@`);
  const query = bare.search(/[?#]/);
  if (query < 0) return bare;
  return bare.slice(0, query) + bare.slice(query).replace(PARAMETER, hideSecret);
}

/** Returns the values that {@link maskedUrl} masks, both as written and decoded. */
export function secretsInUrl(url: string): readonly string[] {
  const user = USER_INFO.exec(url)?.[2];
  const query = url.search(/[?#]/);
  const values = query < 0 ? [] : Array.from(url.slice(query).matchAll(PARAMETER), hiddenIn);
  return [...(user === undefined ? [] : [user.slice(user.indexOf(':') + 1)]), ...values]
    .filter((value) => value !== '')
    .flatMap((value) => [value, percentDecoded(value.replaceAll('+', ' '))]);
}

function hideSecret(whole: string, mark: string, name: string, value: string): string {
  return isSecretName(name, 'parameter') && !PLACEHOLDER.test(value) ? `${mark}${name}=${MASK}` : whole;
}

function hiddenIn([, , name, value]: RegExpExecArray): string {
  return isSecretName(name!, 'parameter') ? value! : '';
}

/**
 * Returns the secrets in the value of a masked header, in every form that may appear elsewhere: the credential without
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
  return [value, percentDecoded(value)];
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
