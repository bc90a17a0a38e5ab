import type { ReactNode } from 'react';
import { safeAddress } from './safe-link';
import { UntrustedText } from './untrusted-text';

/** A link a server wrote: opens apart, tells nobody where from, and says where it leads. An address we don't open is text. */
export function ExternalLink({ address, children }: { readonly address: unknown; readonly children: ReactNode }) {
  const safe = safeAddress(address);
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
