import type { Look } from '../fact';
import { brokenAt } from '../fact';
import type { HostSession } from '../host-session';
import { inRemotes } from './files';

/** Addresses that only some machines reach: private and link-local ones, and those of shared networks (RFC 6598). */
const PRIVATE =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^\[(?:::1?\]|::ffff:|f[cd]|fe[89ab])/i;
/** Names that no public DNS has (RFC 6761, RFC 6762, RFC 8375). */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|lan|home|home\.arpa|test|invalid|example)\.?$/i;

/** True for an address that a host on other machines can't reach. Names are judged by their ending alone. */
export function isPrivate({ hostname }: URL): boolean {
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) return PRIVATE.test(hostname);
  return PRIVATE_NAME.test(hostname);
}

/** True for a server that no cloud reaches: a process, or a private address. */
export function isOutOfReach({ url, process }: HostSession): boolean {
  return process !== undefined || (url !== undefined && isPrivate(url));
}

/** Says what is wrong with an address, if anything is. */
type WrongAddress = (url: URL) => string | undefined;

const otherPort: WrongAddress = ({ protocol, port }) =>
  protocol === 'https:' && port !== '' ? `The URL has the port ${port}.` : undefined;
const withoutTls: WrongAddress = ({ protocol }) => (protocol === 'http:' ? 'The URL begins with http.' : undefined);

function inAddress(wrong: WrongAddress): Look {
  return ({ url, startSeq }) => {
    const words = url && wrong(url);
    return brokenAt(words === undefined ? [] : [{ seq: startSeq, words }]);
  };
}

/** Looks for a URL with another port than that of https, and for such remotes in a server.json. */
export const port443 = inAddress(otherPort);
export const remotesOn443 = inRemotes(otherPort);

/** Looks for a URL without TLS, and for such remotes in a server.json. */
export const https = inAddress(withoutTls);
export const secureRemotes = inRemotes(withoutTls);

/** Looks for remotes that no cloud reaches. */
export const publicRemotes = inRemotes(
  (url) => withoutTls(url) ?? (isPrivate(url) ? 'The URL is not a public address.' : undefined),
);

/** Looks for a connection over HTTP+SSE that began because a POST was refused. */
export const streamableHttp: Look = ({ isSse, exchanges }) => {
  if (!isSse) return 'holds';
  const refused = exchanges.find(
    ({ request, response }) => request.method === 'POST' && (response?.status ?? 0) >= 400,
  );
  if (!refused?.response) return { notSeen: 'transport' };
  const { seq, status } = refused.response;
  return [{ seq, words: `POST ${refused.request.url} was answered with HTTP ${status}, so only HTTP+SSE is left.` }];
};
