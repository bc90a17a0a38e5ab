import type { ObstaclePlace } from '@/features/host-judge';
import type { SeenStep } from '@/lib/auth-steps/auth-steps';
import { headerIn, originOf } from '@/lib/doctor/exchange-facts';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { quote } from '@/lib/problems/rule';
import { parseJson } from '@/lib/store/classify';
import { countOf } from '@/lib/wire/format';
import { isLoopbackName } from '@/lib/wire/url';
import { brokenAt, type Look } from '../fact';
import type { HostSession } from '../host-session';
import { isPrivate } from './reach';

/** A document of OAuth, and its frame. */
interface SeenDocument {
  readonly seq: number;
  readonly url: string;
  readonly value: JsonObject;
}

function documents({ signIn }: HostSession, kind: SeenStep['kind']): readonly SeenDocument[] {
  return signIn.flatMap(({ kind: found, outcome, request, response }) => {
    if (found !== kind || outcome !== 'ok' || !request || response?.body === undefined) return [];
    const value = parseJson(response.body);
    return isObject(value) ? [{ seq: response.seq, url: request.url, value }] : [];
  });
}

const isAsked = ({ signIn }: HostSession): boolean => signIn.some(({ kind }) => kind === 'challenge');

/** Returns true if metadata of an authorization server was read. */
export const hasAuthorizationServer = (session: HostSession): boolean =>
  documents(session, 'server-metadata').length > 0;

/** Says what is missing if a server's demand for a sign-in does not lead to an authorization server. */
export function unexplainedSignIn(session: HostSession): string | undefined {
  const challenge = session.signIn.find(({ kind }) => kind === 'challenge');
  if (!challenge?.response || hasAuthorizationServer(session)) return undefined;
  const { status, headers } = challenge.response;
  const header = headerIn(headers, 'www-authenticate');
  const asked = session.signIn.filter(({ kind }) => kind === 'resource-metadata' || kind === 'server-metadata').length;
  // A session that ended early asked for nothing.
  if (asked === 0) return undefined;
  const [resource] = documents(session, 'resource-metadata');
  const missing = [
    ...(header === undefined ? [`the HTTP ${status} has no \`WWW-Authenticate\``] : []),
    ...(header !== undefined && !/resource_metadata/i.test(header)
      ? [`the \`WWW-Authenticate\` of the HTTP ${status} has no \`resource_metadata\``]
      : []),
    resource
      ? `the metadata at ${quote(resource.url)} leads to no authorization server`
      : `no metadata was found by ${countOf(asked, 'request')}`,
  ];
  return `The server wants a sign-in and does not say where: ${missing.join(', and ')}.`;
}

/** Looks for a place in the newest document of a kind. A server without a sign-in has none. */
function inDocument(
  kind: SeenStep['kind'],
  wordsFor: (document: SeenDocument, session: HostSession) => string | undefined,
): Look {
  return (session) => {
    const document = documents(session, kind).at(-1);
    const words = document && wordsFor(document, session);
    return brokenAt(words === undefined ? [] : [{ seq: document!.seq, words }]);
  };
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Looks for metadata of a resource that is not the URL. A resource that is no URL is never the same. */
function otherResourceBy(isSame: (resource: URL, url: URL) => boolean): Look {
  return inDocument('resource-metadata', ({ value }, { url }) => {
    const resource = own(value, 'resource');
    if (typeof resource !== 'string' || !url || (URL.canParse(resource) && isSame(new URL(resource), url)))
      return undefined;
    return `The metadata is for ${JSON.stringify(resource.slice(0, 300))}, and the URL is ${url.href}.`;
  });
}

/** Looks for metadata of another resource than the URL, also by a slash, port or letter case (RFC 9728, 3.3). */
const resourceDiffers = otherResourceBy((resource, url) => resource.href === url.href);

/** Looks for an authorization server at another origin than the server. */
export const elsewhere: Look = inDocument('resource-metadata', ({ value }, { url }) => {
  const [first] = texts(own(value, 'authorization_servers'));
  if (first === undefined || !url || !URL.canParse(first)) return undefined;
  return new URL(first).origin === url.origin ? undefined : `The authorization server is at ${new URL(first).origin}.`;
});

/**
 * Looks for metadata of another resource together with an authorization server elsewhere. A document at the root is for
 * the origin.
 */
export const resourceIgnored: Look = (session) => {
  const [differs, other] = [resourceDiffers(session), elsewhere(session)];
  if (!Array.isArray(differs) || !Array.isArray(other)) return 'holds';
  const { url = '', value } = documents(session, 'resource-metadata').at(-1) ?? {};
  const resource = value && own(value, 'resource');
  const isOfOrigin =
    typeof resource === 'string' && URL.canParse(resource) && new URL(resource).href === `${originOf(url)}/`;
  return isOfOrigin && url.endsWith('/.well-known/oauth-protected-resource') ? 'holds' : differs;
};

/** Looks for a server that asks for a token and refuses to give the metadata of its resource. */
export const noResourceMetadata: Look = (session) => {
  if (!isAsked(session) || documents(session, 'resource-metadata').length > 0) return 'holds';
  const refused = session.signIn.findLast(({ kind, outcome }) => kind === 'resource-metadata' && outcome === 'refused');
  if (!refused?.response) return { notSeen: 'metadata' };
  const { seq, status } = refused.response;
  return [{ seq, words: `The metadata of the resource was asked for, and answered with HTTP ${status}.` }];
};

/** Looks for metadata of another resource. Query and fragment do not count. */
export const otherResource = otherResourceBy(
  (resource, url) =>
    resource.protocol === url.protocol && resource.host === url.host && resource.pathname === url.pathname,
);

/** Looks for metadata of another origin, or of a path that the URL does not begin with. */
export const foreignResource = otherResourceBy((resource, url) => {
  const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
  return (
    resource.origin === url.origin &&
    url.pathname.length >= resource.pathname.length &&
    withSlash(url.pathname).startsWith(withSlash(resource.pathname))
  );
});

/** Looks for an authorization server at which a client can’t introduce itself. */
export const noRegistration: Look = inDocument('server-metadata', ({ value, url }) =>
  own(value, 'registration_endpoint') === undefined && own(value, 'client_id_metadata_document_supported') !== true
    ? `${originOf(url)} takes neither registrations nor metadata documents of clients.`
    : undefined,
);

/** Looks for an authorization server that doesn’t say that it does PKCE with S256. */
export const noPkce: Look = inDocument('server-metadata', ({ value }) =>
  texts(own(value, 'code_challenge_methods_supported')).includes('S256')
    ? undefined
    : 'The metadata has no `S256` in `code_challenge_methods_supported`.',
);

/** Looks for a token endpoint that takes documents of clients, and then wants a secret from them. */
export const documentsNeedSecret: Look = inDocument('server-metadata', ({ value }) => {
  const methods = texts(own(value, 'token_endpoint_auth_methods_supported'));
  const fits = methods.length === 0 || methods.some((method) => ['none', 'private_key_jwt'].includes(method));
  return own(value, 'client_id_metadata_document_supported') === true && !fits
    ? `The token endpoint takes only ${methods.join(', ')}.`
    : undefined;
});

/** Looks for a token endpoint that registers clients, and does not take `client_secret_basic`. */
export const noBasic: Look = inDocument('server-metadata', ({ value }) => {
  const methods = texts(own(value, 'token_endpoint_auth_methods_supported'));
  const registers = own(value, 'registration_endpoint') !== undefined;
  return registers && methods.length > 0 && !methods.includes('client_secret_basic')
    ? `The token endpoint takes only ${methods.join(', ')}.`
    : undefined;
});

/** Looks for addresses of OAuth without TLS beyond this machine, or at private ones. */
export const insecureAddresses: Look = (session) => {
  if (!isAsked(session)) return 'holds';
  const places: ObstaclePlace[] = [];
  for (const { request } of session.signIn) {
    if (!request || !URL.canParse(request.url)) continue;
    const url = new URL(request.url);
    if (isLoopbackName(url.hostname)) continue;
    if (url.protocol !== 'https:' || (/^[\d.[]/.test(url.hostname) && isPrivate(url)))
      places.push({ seq: request.seq, words: `A part of the sign-in is at ${url.origin}.` });
  }
  return brokenAt(places.slice(0, 1));
};
