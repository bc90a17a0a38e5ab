import { MASK } from '@/lib/wire/http-frame';
import { isObject } from '@/lib/wire/message';

/** What OAuth calls its secrets, in bodies of either form. */
const SECRETS = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'code',
  'code_verifier',
  'device_code',
  'assertion',
  'client_assertion',
  'subject_token',
  'actor_token',
  'registration_access_token',
  'password',
]);

/**
 * A body of an OAuth exchange as it may be shown: JSON and forms without the values of secret members, anything else whole
 * or, if it names a secret, not at all. `known` are secrets of ours that are taken out wherever they stand.
 */
export function redactBody(text: string, known: readonly string[]): string {
  return known.filter((secret) => secret.length >= 8).reduce((shown, one) => shown.replaceAll(one, MASK), byName(text));
}

/** The values that {@link redactBody} takes out by their names, in a body of either form. */
export function secretsInBody(text: string): readonly string[] {
  const values: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (SECRETS.has(name) && typeof value === 'string') values.push(value);
    });
  } catch {
    for (const [name, value] of new URLSearchParams(text)) if (SECRETS.has(name.toLowerCase())) values.push(value);
  }
  return values;
}

function byName(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, hide));
  } catch {
    // No JSON.
  }
  if (/^[\w.~%+*-]+=[^\s]*$/.test(text)) return redactForm(text);
  return [...SECRETS].some((name) => name !== 'code' && text.includes(name)) ? MASK : text;
}

function hide(name: string, value: unknown): unknown {
  if (!SECRETS.has(name)) return value;
  // `code` of an error is a number in some servers' answers, and no secret.
  return typeof value === 'string' || isObject(value) || Array.isArray(value) ? MASK : value;
}

function redactForm(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return SECRETS.has(name.toLowerCase()) ? `${name}=${MASK}` : pair;
    })
    .join('&');
}
