import type { AuthStep } from '@/lib/wire/auth-step';
import type { Headers } from './http-link';

/** The parameters of a `WWW-Authenticate` challenge that matter for OAuth (RFC 6750, RFC 9728). */
export interface Challenge {
  /** As written. Absent if the server sent no challenge. */
  readonly scheme?: string;
  readonly error?: string;
  readonly description?: string;
  readonly scope?: string;
  /** URL of the protected resource metadata, as written. */
  readonly resourceMetadata?: string;
}

/** Reads the Bearer challenge in `headers`, or the first challenge if none is Bearer. Never throws. */
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

/**
 * Returns true if a response asks for a token: a 401 that does not ask for another scheme, or a 403 for
 * insufficient scope.
 */
export function wantsAuthorization(status: number, headers: Headers): boolean {
  if (status !== 401 && status !== 403) return false;
  const challenge = readChallenge(headers);
  if (status === 403) return isScopeRefusal(challenge);
  return challenge.scheme === undefined || /^(?:bearer|dpop)$/i.test(challenge.scheme);
}

/** True for `error="insufficient_scope"`. */
export function isScopeRefusal({ error }: Challenge): boolean {
  return error === 'insufficient_scope';
}

/** A response that asks for authorization. */
export interface AuthorizationRefusal {
  readonly status: number;
  readonly challenge: Challenge;
  /** The `Authorization` that was sent. */
  readonly sent: string | undefined;
  /** Number of earlier refusals of this request. */
  readonly before: number;
  /** Aborted when the request is given up, which rejects pending promises. */
  readonly signal: AbortSignal;
}

/** Obtains and keeps the authorization of a transport over HTTP. */
export interface HttpAuthorizer {
  /** Returns the `Authorization` for the next request, and what goes with it; none if there is none. */
  headers(): Headers;
  /** Fills in what has to be made for each request: the proof of DPoP. undefined if there is none. */
  prove?(method: string, url: string, headers: Headers): Promise<Headers> | undefined;
  /** Called with the headers of each response. */
  onResponse?(url: string, headers: Headers): void;
  /**
   * Obtains the authorization that a refusal asks for. Resolves when the request can be sent again with
   * {@link headers}.
   * Rejects with a {@link RefusedError} when sending it again makes no sense.
   */
  authorize(refusal: AuthorizationRefusal): Promise<void>;
  /** Stops waiting for a person to sign in. Returns false if no sign-in is pending. */
  cancelSignIn(): boolean;
  /** Runs one step alone, and logs that. Rejects with a ConnectionError. `signal` ends it. */
  runStep?(step: AuthStep, signal: AbortSignal): Promise<void>;
  /** Aborts a running authorization. */
  close(): void;
}

/**
 * One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). Parameter names are lower case; the first of each
 * wins.
 */
interface AuthChallenge {
  /** As written. Case-insensitive. */
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = new RegExp(`\\s*(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}|[^\\s",]+))\\s*(?:,|$)`, 'y');
const SCHEME = new RegExp(`\\s*(${TOKEN})(?=\\s|,|$)(?!\\s*=)\\s*,?`, 'y');

/** Returns all challenges of a header, in order. Skips malformed parts. Never throws. */
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
