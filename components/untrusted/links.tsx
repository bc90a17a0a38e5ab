import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { safeUrl } from '@/lib/wire/safe-url';
import { signInUrlProblem } from '@/lib/wire/url';
import { UntrustedText } from './untrusted-text';

/** A link from a server. Opens in a new tab without referrer and shows its URL. Unsafe URLs are shown as text. */
export function ExternalLink({ address, children }: { readonly address: unknown; readonly children: ReactNode }) {
  const safe = safeUrl(address);
  const written = typeof address === 'string' ? address : '';
  if (safe === undefined) {
    return (
      <span>
        {children} <UntrustedText text={`(${written})`} limit={200} className="text-muted" />
      </span>
    );
  }
  return (
    <span>
      <a href={safe} target="_blank" rel="noopener noreferrer" title={safe} className="text-link">
        {children}
      </a>
      {safe !== children && safe !== `${String(children)}/` && (
        <UntrustedText text={` (${safe})`} limit={200} className="text-muted" />
      )}
    </span>
  );
}

/**
 * A URL that a server asks the user to open: the complete URL with its host highlighted, and a link that names the
 * host. A URL that may be deceptive is shown without a link.
 */
export function UrlToOpen({ address }: { readonly address: string }) {
  const problem = signInUrlProblem(address);
  const { host, before, after } = splitAroundHost(address);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">Host</dt>
        <dd className="font-mono text-title font-medium break-all">
          {host === '' ? '(none)' : <UntrustedText text={host} limit={300} />}
        </dd>
        <dt className="text-muted">URL</dt>
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
        <p className="text-error">× mcp-inspect doesn’t open a URL {problem}. Copy it if you trust it.</p>
      )}
    </div>
  );
}

/** Splits a URL around its host, which is empty for an invalid URL. */
function splitAroundHost(address: string): { readonly before: string; readonly host: string; readonly after: string } {
  const host = URL.canParse(address) ? new URL(address).host : '';
  const at = host === '' ? -1 : address.toLowerCase().indexOf(host);
  if (at < 0) return { before: '', host, after: host === '' ? address : ` (${address})` };
  return {
    before: address.slice(0, at),
    host: address.slice(at, at + host.length),
    after: address.slice(at + host.length),
  };
}

/** A button that opens a URL from a server in a new tab, and says that it was pressed. */
export function OpenLinkButton({ address, onOpen }: { readonly address: string; readonly onOpen: () => void }) {
  return (
    <a
      href={safeUrl(address)}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onOpen}
      className="inline-flex h-6 shrink-0 items-center rounded border border-line bg-raised px-1.5 text-small hover:border-control"
    >
      Open
    </a>
  );
}

/** A link to the page of an authorization server, in a new tab. Unsafe URLs are not links. */
export function SignInLink({ address }: { readonly address: string }) {
  const problem = signInUrlProblem(address);
  if (problem !== undefined) return <span className="text-error">mcp-inspect doesn’t open a URL {problem}.</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex h-7 shrink-0 items-center rounded border border-transparent bg-accent px-2.5 font-medium whitespace-nowrap text-on-accent hover:opacity-90"
    >
      Sign in
    </a>
  );
}

/** A link to a page of the specification. The URL is ours, so it is not shown. */
export function SpecLink({ section, url }: { readonly section: string; readonly url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url} className="text-link">
      Specification {section}
    </a>
  );
}
