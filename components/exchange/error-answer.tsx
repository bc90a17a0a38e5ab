import { JsonTree } from '@/components/untrusted/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/wire/json-source';
import { errorMeaning } from './error-meanings';
import { URLS_WANTED, UrlsWanted } from './urls-wanted';

/** The `error` of a response: code with its meaning, message, data. */
export function ErrorAnswer({ error }: { readonly error: JsonSource }) {
  if (error.kind !== 'object') {
    return (
      <>
        <p className="text-warn">! The error is no object, as JSON-RPC asks: shown as it came.</p>
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
        {/* With a real minus sign, as the specification prints it. */}
        <UntrustedText
          text={code === undefined ? 'no code' : code.text.replace(/^-/, '−')}
          limit={40}
          className="font-mono text-error"
        />{' '}
        <span className="text-muted">{errorMeaning(code?.value)}</span>
      </p>
      <p className="whitespace-pre-wrap">
        <UntrustedText text={typeof message === 'string' ? message : 'The error has no message.'} />
      </p>
      {code?.value === URLS_WANTED && data && <UrlsWanted data={data} />}
      {data !== undefined && (
        <>
          <p className="text-muted">data</p>
          <JsonTree json={data} />
        </>
      )}
    </div>
  );
}
