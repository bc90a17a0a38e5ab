import { JsonTree } from '@/components/untrusted/json-tree';
import { UrlToOpen } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/json/source';

/** The `error` of a response: code with its meaning, message and data. */
export function ErrorResponseView({ error }: { readonly error: JsonSource }) {
  if (error.kind !== 'object') {
    return (
      <>
        <p className="text-warn">! The error is not an object as JSON-RPC requires. Shown as sent.</p>
        <JsonTree json={error} />
      </>
    );
  }
  const code = error.member('code');
  const message = error.member('message')?.value;
  const data = error.member('data');
  return (
    <div className="border-l-2 border-error px-3 py-1">
      <p>
        {/* Shows U+2212 instead of the hyphen, as the specification prints codes. */}
        <UntrustedText
          text={code === undefined ? 'no code' : code.text.replace(/^-/, '−')}
          limit={40}
          className="font-mono text-error"
        />{' '}
        <span className="text-muted">{errorMeaning(code?.value)}</span>
      </p>
      <p className="whitespace-pre-wrap">
        <UntrustedText text={typeof message === 'string' ? message : '(no message)'} />
      </p>
      {code?.value === URL_ELICITATION_REQUIRED && data && <RequiredUrls data={data} />}
      {data !== undefined && (
        <>
          <p className="text-muted">data</p>
          <JsonTree json={data} />
        </>
      )}
    </div>
  );
}

/** Error codes that JSON-RPC and MCP define. */
const MEANINGS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [-32700, 'Parse error (the server could not read the message as JSON)'],
  [-32600, 'Invalid request'],
  [-32601, 'Method not found'],
  [-32602, 'Invalid params'],
  [-32603, 'Internal server error'],
  [-32002, 'Resource not found (up to 2025-11-25)'],
  [-32042, 'URL elicitation required (2025-11-25)'],
  [-32020, 'Headers do not match the message (2026-07-28)'],
  [-32021, 'Missing a client capability that the server requires (2026-07-28)'],
  [-32022, 'Unsupported protocol version (2026-07-28)'],
]);

/** Returns the meaning of an error code. */
export function errorMeaning(code: unknown): string {
  const known = MEANINGS.get(code);
  if (known !== undefined) return known;
  if (typeof code !== 'number') return 'Invalid code, JSON-RPC requires an integer';
  if (code <= -32000 && code >= -32099) return 'Defined by the server, in the range that JSON-RPC reserves for servers';
  return 'Defined by the server';
}

/** Error code that asks the user to open URLs before the request is sent again (elicitation, 2025-11-25). */
const URL_ELICITATION_REQUIRED = -32042;

/** Most URLs to show. */
const MAX_URLS = 5;

/** The URLs in the data of a {@link URL_ELICITATION_REQUIRED} error. */
function RequiredUrls({ data }: { readonly data: JsonSource }) {
  const wanted = data.kind === 'object' ? data.member('elicitations') : undefined;
  if (wanted?.kind !== 'array') return null;
  const { count, children } = wanted.children(MAX_URLS);
  return (
    <div className="my-2 flex flex-col gap-3">
      {children.map(({ source }, index) => {
        const text = (name: string) => {
          const value = source.kind === 'object' ? source.member(name)?.value : undefined;
          return typeof value === 'string' ? value : '';
        };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
          <div key={index} className="border-l-2 border-to-client pl-3">
            <p className="mb-1 whitespace-pre-wrap">
              <UntrustedText text={text('message')} limit={500} />
            </p>
            <UrlToOpen address={text('url')} />
          </div>
        );
      })}
      {count > MAX_URLS && <p className="text-muted">{count - MAX_URLS} more in data</p>}
      <p className="text-muted">mcp-inspect can’t see what you do on that site. Call again when you are done.</p>
    </div>
  );
}
