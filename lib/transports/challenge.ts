import type { Headers } from './http-link';
import { readChallenges } from './www-authenticate';

/** What a refusal says about authorization: the parts of `WWW-Authenticate` that matter (RFC 6750, RFC 9728). */
export interface Challenge {
  /** As written; absent if the server sent no challenge at all. */
  readonly scheme?: string;
  readonly error?: string;
  readonly description?: string;
  readonly scope?: string;
  /** Where the metadata of the protected resource is, as written. */
  readonly resourceMetadata?: string;
}

/** Reads the Bearer challenge among `headers`, or the first one if none is. Never throws. */
export function readChallenge(headers: Headers): Challenge {
  const found = headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'www-authenticate' ? readChallenges(value) : [],
  );
  const { scheme, parameters } = found.find((one) => one.scheme.toLowerCase() === 'bearer') ?? found[0] ?? {};
  if (scheme === undefined) return {};
  const member = (key: string, name: string) => (parameters?.get(name) ? { [key]: parameters.get(name) } : {});
  return {
    scheme,
    ...member('error', 'error'),
    ...member('description', 'error_description'),
    ...member('scope', 'scope'),
    ...member('resourceMetadata', 'resource_metadata'),
  };
}

/** True if this answer asks for a bearer token: 401, unless for another scheme, or 403 because the token covers too little. */
export function wantsAuthorization(status: number, headers: Headers): boolean {
  if (status !== 401 && status !== 403) return false;
  const challenge = readChallenge(headers);
  if (status === 403) return isScopeRefusal(challenge);
  // A challenge for proofs of possession (RFC 9449) may take a plain token too.
  return challenge.scheme === undefined || /^(?:bearer|dpop)$/i.test(challenge.scheme);
}

/** True for `error="insufficient_scope"`. */
export function isScopeRefusal({ error }: Challenge): boolean {
  return error === 'insufficient_scope';
}
