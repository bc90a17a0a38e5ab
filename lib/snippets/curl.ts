import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { variableOf } from './described-request';
import { shellQuote } from './shell-quote';

/** What curl sets by itself, and what is about one socket. */
const NOT_SENT = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** A POST of a message as a command for curl. Masked values, in headers and in the URL, are variables that have to be set. */
export function curlText(url: string, headers: ShownHeaders, body: string): string {
  const lines = headers
    .filter(([name]) => !NOT_SENT.has(name.toLowerCase()))
    .map(([name, value]) =>
      value.includes(MASK)
        ? `  -H ${shellQuote(`${name}: `)}"$${variableOf(name)}"`
        : // curl takes `X:` for a header that is to be left out.
          `  -H ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    );
  // Without -g it makes several URLs of braces and brackets.
  return [`curl -gsN ${urlWord(url)}`, ...lines, `  --data-raw ${shellQuote(body)}`].join(' \\\n');
}

/** The URL as one word; what is masked in it as variables named like the query parameter. */
function urlWord(url: string): string {
  const [first = '', ...rest] = url.split(MASK);
  let before = first;
  const words = rest.map((part) => {
    const name = /([^?&#=]+)=$/.exec(before)?.[1] ?? 'credentials';
    before = part;
    return `"$${variableOf(name)}"${part === '' ? '' : shellQuote(part)}`;
  });
  return shellQuote(first) + words.join('');
}
