import type { IncomingHttpHeaders } from 'node:http';
import type { Headers } from '@/lib/transports/http-link';

/** A request passes, the browser is sent to the server itself, or the request is refused. */
export type BrowserDecision = 'pass' | 'redirect' | 'refuse';

const FOREIGN = /cross-site|same-site/i;
const NAVIGATION = /navigate|nested-navigate/i;

/**
 * Decides about a request by what browsers say of it (Fetch Metadata). A page of another site can make a browser send
 * requests without an `Origin`: pictures, forms, links. A page that a person opens comes from the server itself, with
 * the server's own address and cookies, as without a tap.
 */
export function browserDecision(method: string, headers: IncomingHttpHeaders): BrowserDecision {
  const of = (name: string): string => String(headers[name] ?? '');
  if (NAVIGATION.test(of('sec-fetch-mode'))) {
    return method === 'GET' && of('sec-fetch-dest').toLowerCase() === 'document' ? 'redirect' : 'refuse';
  }
  return FOREIGN.test(of('sec-fetch-site')) ? 'refuse' : 'pass';
}

/**
 * Returns the headers of a request without the cookies of a browser. It has one jar for all ports of a host, so they
 * may be those of other programs.
 */
export function withoutBrowserCookies(headers: Headers): Headers {
  const isBrowser = headers.some(([name, value]) => {
    const key = name.toLowerCase();
    return (
      key === 'sec-fetch-site' || key === 'sec-fetch-dest' || (key === 'user-agent' && /^\s*Mozilla\//i.test(value))
    );
  });
  return isBrowser ? headers.filter(([name]) => name.toLowerCase() !== 'cookie') : headers;
}
