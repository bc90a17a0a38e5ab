import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { signInUrlProblem } from '@/lib/wire/url';
import { UntrustedText } from './untrusted-text';

/** A link a server wrote: opens apart, tells nobody where from, and says where it leads. An address we don't open is text. */
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
      <a href={safe} target="_blank" rel="noopener noreferrer" title={safe} className="text-accent underline">
        {children}
      </a>
      {safe !== children && safe !== `${String(children)}/` && (
        <UntrustedText text={` (${safe})`} limit={200} className="text-muted" />
      )}
    </span>
  );
}

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address a link may lead to, as the browser would read it: absolute, http, https or mailto. Undefined for every other scheme and for
 * relative addresses, which would lead back into this page.
 */
export function safeUrl(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An address that a server wants a person to go to: whole, the host standing out, and a link that says where it leads. One
 * that could be something else than it looks is not opened, only shown.
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

/** Opens the page of an authorization server apart, when a person clicks. An address that we don't open is not a link. */
export function SignInLink({ address }: { readonly address: string }) {
  const problem = signInUrlProblem(address);
  if (problem !== undefined) return <span className="text-error">This address is not opened: {problem}.</span>;
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

/** A link to a page of the specification: an address of our own making, so its words say enough of where it leads. */
export function SpecLink({ section, url }: { readonly section: string; readonly url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url} className="text-accent underline">
      Specification {section}
    </a>
  );
}
