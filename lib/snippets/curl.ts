import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { variableOf } from './described-request';
import { shellQuote } from './shell-quote';

/** What curl sets by itself, and what is about one socket. */
const NOT_SENT = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** A POST of a message as a command for curl. Masked values are variables that have to be set; the URL is shown as it is. */
export function curlText(url: string, headers: ShownHeaders, body: string): string {
  const lines = headers
    .filter(([name]) => !NOT_SENT.has(name.toLowerCase()))
    .map(([name, value]) =>
      value.includes(MASK)
        ? `  -H ${shellQuote(`${name}: `)}"$${variableOf(name)}"`
        : `  -H ${shellQuote(`${name}: ${value}`)}`,
    );
  return [`curl -sN ${shellQuote(url)}`, ...lines, `  --data-raw ${shellQuote(body)}`].join(' \\\n');
}
