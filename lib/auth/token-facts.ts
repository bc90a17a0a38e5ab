import { isObject, own, textOrJson } from '@/lib/json/value';
import { CLAIM_CHARS } from '@/lib/wire/auth-step';
import type { DecodedJwt, IssuedToken, ShownClaim } from '@/lib/wire/issued-token';
import type { Grant } from './credentials';

/** Longest token whose claims are read, in characters. Servers accept headers of about this size. */
const JWT_CHARS = 16 * 1024;
/** Claims and header members that are listed. */
const MOST_CLAIMS = 60;
const NAME_CHARS = 80;

/** Claims that say what a token is for. Others may identify a person or a session, so only their names are shown. */
const SHOWN: ReadonlySet<string> = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'auth_time',
  'azp',
  'client_id',
  'cid',
  'appid',
  'scope',
  'scp',
  'roles',
  'groups',
  'permissions',
  'acr',
  'amr',
  'token_use',
  'tid',
  'ver',
  'cnf',
  'may_act',
  'act',
]);
const SHOWN_IN_HEADER: ReadonlySet<string> = new Set(['alg', 'typ', 'kid', 'cty', 'enc', 'crit', 'zip']);

/** Returns facts about a grant for the log, without its tokens. */
export function issuedToken(grant: Grant, kept: boolean): IssuedToken {
  const { accessToken, refreshToken, expiresAt, clientId, resource, dpop, idToken } = grant;
  const jwt = decodeJwt(accessToken, grantSecrets(grant));
  return {
    scheme: dpop ? 'DPoP' : 'Bearer',
    chars: accessToken.length,
    ...(jwt && { jwt }),
    ...(idToken && { idToken }),
    ...(refreshToken !== undefined && { refreshChars: refreshToken.length }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(clientId !== '' && { clientId: clientId.slice(0, CLAIM_CHARS) }),
    ...(resource !== undefined && { resource: resource.slice(0, CLAIM_CHARS) }),
    ...(dpop && { keyThumbprint: dpop.thumbprint }),
    ...(kept && { kept: true }),
  };
}

/** Returns the secrets of a grant. */
export function grantSecrets({ accessToken, refreshToken, client }: Grant): readonly string[] {
  return [accessToken, refreshToken, client?.client_secret].filter(
    (one) => one !== undefined && one !== '',
  ) as string[];
}

/**
 * Decodes the header and the claims of a JWT. undefined for another text. The signature is left out, so the result is
 * no token. The claims of a JWT without a signature are hidden, because they are the whole token. So are claims that
 * contain one of the `secrets`.
 */
export function decodeJwt(text: string, secrets: readonly string[]): DecodedJwt | undefined {
  const [head = '', body = '', signature, ...more] = text.length > JWT_CHARS ? [] : text.split('.');
  const header = more.length === 0 && signature !== undefined ? objectIn(head) : undefined;
  const claims = header && objectIn(body);
  if (!header || !claims) return undefined;
  const unsigned = signature === '' || textOrJson(own(header, 'alg')).toLowerCase() === 'none';
  const none: ReadonlySet<string> = new Set();
  return {
    header: shownClaims(header, SHOWN_IN_HEADER, secrets),
    claims: shownClaims(claims, unsigned ? none : SHOWN, secrets),
    ...(unsigned && { unsigned }),
  };
}

function shownClaims(
  from: Readonly<Record<string, unknown>>,
  shown: ReadonlySet<string>,
  secrets: readonly string[],
): readonly ShownClaim[] {
  return Object.entries(from)
    .slice(0, MOST_CLAIMS)
    .map(([name, value]) => {
      const text = JSON.stringify(value) ?? '';
      const label = name.slice(0, NAME_CHARS);
      const isShown = shown.has(name) && !secrets.some((secret) => text.includes(secret));
      return isShown ? { name: label, value: text.slice(0, CLAIM_CHARS) } : { name: label, chars: text.length };
    });
}

function objectIn(base64url: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
