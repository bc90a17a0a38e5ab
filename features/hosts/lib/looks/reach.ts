import type { Look } from '../fact';
import { brokenAt } from '../fact';
import type { HostSession } from '../host-session';

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

/** Looks for a URL with another port than that of https. */
export const port443: Look = ({ url, startSeq }) =>
  brokenAt(
    url?.protocol === 'https:' && url.port !== ''
      ? [{ seq: startSeq, words: `The URL has the port ${url.port}.` }]
      : [],
  );

/** Looks for a URL without TLS. */
export const https: Look = ({ url, startSeq }) =>
  brokenAt(url?.protocol === 'http:' ? [{ seq: startSeq, words: 'The URL begins with http.' }] : []);

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
