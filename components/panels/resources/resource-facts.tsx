import { FrameLink } from '@/components/exchange/frame-link';
import { Markdown } from '@/components/untrusted/markdown';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Entry } from '@/lib/store/state';
import { formatBytes } from '@/lib/wire/format-bytes';
import { own } from '@/lib/wire/message';

/** What a resource or a template says of itself. */
export function ResourceFacts({ entry, uri }: { readonly entry: Entry | undefined; readonly uri: string }) {
  const text = (key: string) => {
    const value = entry && own(entry.raw, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const size = entry && own(entry.raw, 'size');
  const description = text('description');
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-medium">
          <UntrustedText text={text('title') ?? (entry?.name || uri)} limit={200} />
        </h2>
        {entry && (
          <span className="text-small">
            <FrameLink seq={entry.seq} label="listed in" />
          </span>
        )}
      </div>
      <p>
        <UntrustedText text={uri || 'no uri'} limit={500} className="font-mono text-wire" />{' '}
        <span className="text-muted">
          {text('mimeType') !== undefined && <UntrustedText text={text('mimeType')!} limit={80} />}
          {typeof size === 'number' && ` ${formatBytes(size)}`}
        </span>
      </p>
      {!entry && (
        <p className="text-muted">The server does not list this resource; it may answer for it all the same.</p>
      )}
      {entry?.problem !== undefined && <p className="text-warn">! This entry is malformed. {entry.problem}</p>}
      {description !== undefined && <Markdown text={description} />}
    </header>
  );
}
