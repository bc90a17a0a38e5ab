import type { ReactNode } from 'react';
import { formatBytes } from '@/lib/wire/format-bytes';
import { type JsonObject, own } from '@/lib/wire/message';
import { UntrustedText } from './untrusted-text';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A link to a resource of the same server. Never a link of the page: `action` reads it through the server. */
export function ResourceLink({ link, action }: { readonly link: JsonObject; readonly action?: ReactNode }) {
  const size = own(link, 'size');
  const description = text(own(link, 'description'));
  return (
    <div className="min-w-0 border-l-2 border-line pl-2">
      <p className="flex flex-wrap items-center gap-2">
        <UntrustedText text={text(own(link, 'title')) ?? text(own(link, 'name')) ?? 'unnamed resource'} limit={200} />
        <UntrustedText text={text(own(link, 'uri')) ?? 'no uri'} limit={300} className="font-mono text-wire" />
        <span className="text-muted">
          <UntrustedText text={text(own(link, 'mimeType')) ?? ''} limit={60} />
          {typeof size === 'number' && ` ${formatBytes(size)}`}
        </span>
        {action}
      </p>
      {description !== undefined && (
        <p className="text-muted">
          <UntrustedText text={description} />
        </p>
      )}
    </div>
  );
}
