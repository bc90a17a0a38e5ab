import { JsonTree } from '@/components/ui/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { isObject, own } from '@/lib/wire/message';
import { errorMeaning } from './error-meanings';

/** The `error` of a response: code with its meaning, message, data. */
export function ErrorAnswer({ error }: { readonly error: unknown }) {
  if (!isObject(error)) {
    return (
      <>
        <p className="text-warn">! The error is no object, as JSON-RPC asks: shown as it came.</p>
        <JsonTree value={error} />
      </>
    );
  }
  const code = own(error, 'code');
  const message = own(error, 'message');
  const data = own(error, 'data');
  return (
    <div className="border-l-2 border-error px-3 py-1">
      <p>
        <UntrustedText text={codeText(code)} limit={40} className="font-mono text-error" />{' '}
        <span className="text-muted">{errorMeaning(code)}</span>
      </p>
      <p className="whitespace-pre-wrap">
        <UntrustedText text={typeof message === 'string' ? message : 'The error has no message.'} />
      </p>
      {data !== undefined && (
        <>
          <p className="text-muted">data</p>
          <JsonTree value={data} />
        </>
      )}
    </div>
  );
}

/** The code with a real minus sign, as the specification prints it. */
function codeText(code: unknown): string {
  return (typeof code === 'number' ? String(code) : (JSON.stringify(code) ?? 'no code')).replace(/^-/, '−');
}
