import type { ReactNode } from 'react';
import { Markdown } from '@/components/untrusted/markdown';
import { ServerIcon } from '@/components/untrusted/server-icon';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { WireName } from '@/components/untrusted/wire-name';
import { own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { ListEntry } from '@/lib/store/state/state';
import { formatBytes } from '@/lib/wire/format';
import { AnnotationFacts } from '../shared/annotation-facts';
import { ListedIn } from '../shared/freshness';

interface ResourceFactsProps {
  readonly log: Log;
  /** undefined if the server does not list it. */
  readonly entry: ListEntry | undefined;
  readonly uri: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
}

/** The description of a resource or template. */
export function ResourceSection({ log, entry, uri, actions }: ResourceFactsProps) {
  const text = (key: string) => {
    const value = entry && own(entry.raw, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const size = entry && own(entry.raw, 'size');
  const description = text('description');
  const heading = text('title') ?? (entry?.name || uri);
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="flex min-h-7 min-w-0 flex-1 basis-60 flex-wrap items-baseline gap-x-2 pt-1">
          <ServerIcon entry={entry?.raw} size={20} />
          <h2 className="min-w-0 font-medium">
            <WireName text={heading} limit={200} />
          </h2>
          {heading !== uri && (
            <UntrustedText text={uri || 'no uri'} limit={500} className="min-w-0 font-mono text-wire wrap-anywhere" />
          )}
          <span className="text-muted">
            {text('mimeType') !== undefined && <UntrustedText text={text('mimeType')!} limit={80} />}
            {typeof size === 'number' && ` ${formatBytes(size)}`}
          </span>
        </div>
        <div className="flex min-h-7 flex-wrap items-center gap-2">
          {entry && (
            <span className="text-small">
              <ListedIn log={log} seq={entry.seq} />
            </span>
          )}
          {actions}
        </div>
      </div>
      {!entry && <p className="text-muted">The server does not list this resource, but may still return it.</p>}
      {entry?.problem !== undefined && <p className="text-warn">! Malformed entry. {entry.problem}</p>}
      <AnnotationFacts log={log} entry={entry?.raw} />
      {description !== undefined && <Markdown text={description} />}
    </header>
  );
}
