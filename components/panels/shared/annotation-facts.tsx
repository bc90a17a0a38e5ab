import type { ReactNode } from 'react';
import { IconFacts } from '@/components/untrusted/server-icon';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { isObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { RelativeTime } from './freshness';

/** A listed entry's annotations (audience, priority, date of its last change) and icons. Empty if it has none. */
export function AnnotationFacts({ log, entry }: { readonly log: Log; readonly entry: unknown }) {
  const annotations = isObject(entry) ? own(entry, 'annotations') : undefined;
  const facts = isObject(annotations)
    ? Object.entries(KNOWN).flatMap(([key, draw]) => {
        const value = own(annotations, key);
        return value === undefined ? [] : [{ key, shown: draw(value, log) }];
      })
    : [];
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-0.5 text-small text-muted empty:hidden">
      {facts.map(({ key, shown }) => (
        <span key={key}>
          {LABELS[key] ?? key} <span className="text-text">{shown}</span>
        </span>
      ))}
      <IconFacts entry={entry} />
    </div>
  );
}

/** Most members of `audience` that are shown. The specification has two. */
const MOST = 20;

const LABELS: Readonly<Record<string, string>> = { lastModified: 'modified' };

/** The annotations of the specification, and how each is drawn. */
const KNOWN: Readonly<Record<string, (value: unknown, log: Log) => ReactNode>> = {
  audience: (value) => (
    <UntrustedText
      text={Array.isArray(value) ? value.slice(0, MOST).map(textOrJson).join(', ') : textOrJson(value)}
      limit={100}
    />
  ),
  priority: (value) => (
    <span title="From 0, optional, to 1, effectively required">
      <UntrustedText text={textOrJson(value)} limit={30} />
    </span>
  ),
  lastModified: (value, log) => <RelativeTime log={log} at={textOrJson(value)} />,
};
