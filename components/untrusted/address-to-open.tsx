import { CopyButton } from '@/components/ui/copy-button';
import { visibleText } from '@/components/ui/visible-text';
import { signInUrlProblem } from '@/lib/wire/sign-in-url';
import { UntrustedText } from './untrusted-text';

/**
 * An address that a server wants a person to go to: whole, the host standing out, and a link that says where it leads. One
 * that could be something else than it looks is not opened, only shown.
 */
export function AddressToOpen({ address }: { readonly address: string }) {
  const problem = signInUrlProblem(address);
  const { host, before, after } = split(address);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">Host</dt>
        <dd className="font-mono text-title font-medium break-all">
          {host === '' ? '(none)' : <UntrustedText text={host} limit={300} />}
        </dd>
        <dt className="text-muted">Address</dt>
        <dd className="min-w-0 font-mono text-wire break-all">
          <span className="text-muted">{visibleText(before)}</span>
          <strong className="font-bold">{visibleText(host)}</strong>
          <span className="text-muted">{visibleText(after)}</span> <CopyButton text={() => address} label="Copy" />
        </dd>
      </dl>
      {problem === undefined ? (
        <p>
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex h-7 items-center rounded border border-line bg-raised px-2.5 hover:border-control"
          >
            Open {visibleText(host)} in a new tab
          </a>
        </p>
      ) : (
        <p className="text-error">× This address is not opened from here: it is one {problem}.</p>
      )}
    </div>
  );
}

/** An address around its host; what is no URL has none. */
function split(address: string): { readonly before: string; readonly host: string; readonly after: string } {
  const host = URL.canParse(address) ? new URL(address).host : '';
  const at = host === '' ? -1 : address.toLowerCase().indexOf(host);
  if (at < 0) return { before: '', host, after: host === '' ? address : ` (${address})` };
  return {
    before: address.slice(0, at),
    host: address.slice(at, at + host.length),
    after: address.slice(at + host.length),
  };
}
