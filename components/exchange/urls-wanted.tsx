import { AddressToOpen } from '@/components/untrusted/address-to-open';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/wire/json-source';

/** The error by which a server wants addresses opened before it is asked again (2025-11-25, elicitation). */
export const URLS_WANTED = -32042;

/** Addresses drawn. */
const MOST = 5;

/** The addresses in the data of such an error, each as it is shown in the Inbox. */
export function UrlsWanted({ data }: { readonly data: JsonSource }) {
  const wanted = data.kind === 'object' ? data.member('elicitations') : undefined;
  if (wanted?.kind !== 'array') return null;
  const { count, children } = wanted.children(MOST);
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
            <AddressToOpen address={text('url')} />
          </div>
        );
      })}
      {count > MOST && <p className="text-muted">{count - MOST} more addresses: see data.</p>}
      <p className="text-muted">What happens there stays between you and that site. When it is done, call again.</p>
    </div>
  );
}
