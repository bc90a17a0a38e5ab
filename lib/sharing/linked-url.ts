import type { Failure } from '@/lib/wire/lifecycle';
import { isLoopbackName, percentDecoded } from '@/lib/wire/url';

/** Characters of the longest URL. Signed URLs of object stores have some 2,000. */
const URL_CHARS = 8000;
/** Names that lead to the local network by convention (RFC 6762, RFC 8375 and common use). */
const LOCAL_NAME = /\.(?:local|internal|intranet|lan|home|corp|private|home\.arpa)$/i;

/** A URL of a recording, as a link names it. */
export interface LinkedUrl {
  readonly url: string;
  /** The name of the host, with its port if that is unusual. */
  readonly host: string;
  readonly path: string;
  /** Name of the file. */
  readonly name: string;
  /** True if the URL has a query, which is often a signature. It is never shown or kept. */
  readonly hasQuery: boolean;
  readonly place: 'public' | 'local network' | 'this machine';
}

/**
 * Reads the URL in a fragment's `recording=…`, written as it is or percent-encoded. `page` is the page's host name. The
 * link is untrusted: only https passes, and http on this machine if the page is on this machine too. Returns a Failure
 * that does not repeat the link.
 */
export function readLinkedUrl(text: string, page: string): LinkedUrl | Failure {
  const plain = /^[a-z]+%3a/i.test(text) ? percentDecoded(text) : text;
  // Visible ASCII only: URL parsers silently drop or rewrite other characters.
  if (plain.length > URL_CHARS || !/^https?:\/\/[!-[\]-~]+$/i.test(plain) || !URL.canParse(plain)) return NOT_A_URL;
  const url = new URL(plain);
  url.hash = '';
  const { protocol, hostname, host, pathname, search, username, password } = url;
  if (username !== '' || password !== '') return HAS_USER;
  const isHere = isLoopbackName(hostname);
  if (protocol === 'http:' && !(isHere && isLoopbackName(page))) return NOT_ENCRYPTED;
  const path = percentDecoded(pathname);
  return {
    url: url.href,
    host,
    path,
    hasQuery: search !== '',
    name: path.slice(path.lastIndexOf('/') + 1) || host,
    place: isHere ? 'this machine' : hasPublicName(hostname) ? 'public' : 'local network',
  };
}

/** Returns false for addresses in any notation, names without a dot, and names of local networks. */
function hasPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && /\.[a-z][^.]*$/i.test(name) && !LOCAL_NAME.test(name);
}

const ADVICE = 'Ask for another link, or download the file and drop it here.';

const NOT_A_URL: Failure = {
  code: 'link-url',
  message: 'This link does not name a recording at an https URL.',
  advice: ADVICE,
};

const HAS_USER: Failure = {
  code: 'link-user',
  message: 'This link has a user name or password in its URL.',
  advice: ADVICE,
};

const NOT_ENCRYPTED: Failure = {
  code: 'link-not-encrypted',
  message: 'This link names a recording at an http URL, which is not encrypted.',
  advice: ADVICE,
};
