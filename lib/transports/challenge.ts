import type { Headers } from './http-link';

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

/** What a server refused, and with what. */
export interface AuthorizationRefusal {
  readonly status: number;
  readonly challenge: Challenge;
  /** The `Authorization` that was sent. */
  readonly sent: string | undefined;
  /** How often this same request was refused before. */
  readonly before: number;
  /** The request is given up; what awaits then is rejected. */
  readonly signal: AbortSignal;
}

/** Sees to it that a transport over HTTP is let in. */
export interface HttpAuthorizer {
  /** Value of `Authorization` for the next request; undefined while there is none. */
  header(): string | undefined;
  /**
   * Does what the refusal asks for. Resolves when the request may be sent again with {@link header}. Rejects with a
   * {@link RefusedError} when that makes no sense.
   */
  authorize(refusal: AuthorizationRefusal): Promise<void>;
  /** Gives up waiting for a person. False: nobody is waited for. */
  cancelSignIn(): boolean;
  /** Ends what is under way. */
  close(): void;
}

/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). Names of parameters in lower case, the first of each holds. */
export interface AuthChallenge {
  /** As written; its case has no meaning. */
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = new RegExp(`\\s*(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}|[^\\s",]+))\\s*(?:,|$)`, 'y');
const SCHEME = new RegExp(`\\s*(${TOKEN})(?=\\s|,|$)(?!\\s*=)\\s*,?`, 'y');

/** Every challenge in it, in order. What can't be read is passed over; never throws. */
export function readChallenges(header: string): readonly AuthChallenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (let at = 0; at < header.length; ) {
    PARAMETER.lastIndex = at;
    SCHEME.lastIndex = at;
    const current = challenges.at(-1);
    const parameter = current && PARAMETER.exec(header);
    if (parameter) {
      const [whole, name, quoted, plain] = parameter;
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      if (!current.parameters.has(name!.toLowerCase())) current.parameters.set(name!.toLowerCase(), value);
      at += whole.length;
      continue;
    }
    const scheme = SCHEME.exec(header);
    if (scheme) challenges.push({ scheme: scheme[1]!, parameters: new Map() });
    at += scheme?.[0].length || 1;
  }
  return challenges;
}
