import { Badge } from '@/components/ui/badge';
import { NARROW, useMedia } from '@/components/ui/media';
import { visibleText } from '@/components/ui/visible-text';
import { callTimes } from '@/features/team/lib/summary/call-times';
import type { ListedRecording } from '@/features/team/lib/summary/listed-recording';
import { countOf, formatBytes, formatCount, formatDate, formatDuration } from '@/lib/wire/format';

/** Height of a row in px. In a narrow window it has three lines. */
const ROW_HEIGHT = 48;
const NARROW_ROW_HEIGHT = 66;

/** Returns the height of a row in px. */
export function useBucketRowHeight(): number {
  return useMedia(NARROW) ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
}

/** Tags that a row shows. */
const SHOWN_TAGS = 3;

/** Classes of columns that a narrower list leaves out. */
const WIDE_ONLY = '@max-[640px]:hidden';
const WIDEST_ONLY = '@max-[900px]:hidden';
const COLUMNS = [
  { title: 'Started', className: `w-40 ${WIDE_ONLY}` },
  { title: 'Calls', className: 'w-20 text-right @max-[640px]:w-12' },
  { title: 'Errors', className: 'w-14 text-right @max-[640px]:w-11' },
  { title: 'Call times', className: `w-28 truncate text-right ${WIDE_ONLY}` },
  { title: 'Duration', className: `w-24 text-right ${WIDEST_ONLY}` },
  { title: 'Size', className: `w-20 text-right ${WIDEST_ONLY}` },
] as const;

/** The titles of the columns. Each row says them itself to screen readers. */
export function BucketHeadings() {
  return (
    <div aria-hidden="true" className="flex gap-3 pr-4 pb-1 pl-9 text-small text-muted">
      <span className="min-w-0 flex-1">Server</span>
      {COLUMNS.map(({ title, className }) => (
        <span key={title} className={`shrink-0 ${className}`}>
          {title}
        </span>
      ))}
    </div>
  );
}

/** A recording in the list; empty until it is loaded. A click moves the cursor there, one on its name opens it. */
export function BucketRow({
  id,
  row,
  height,
  position,
  of,
  active,
  chosen,
  onActive,
  onChoose,
  onOpen,
}: {
  readonly id: string;
  readonly row: ListedRecording | undefined;
  /** Pixels. */
  readonly height: number;
  /** Counted from 1. */
  readonly position: number;
  readonly of: number;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly onActive: () => void;
  readonly onChoose: () => void;
  readonly onOpen: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-posinset={position}
      aria-setsize={of}
      aria-label={row && spokenRow(row)}
      style={{ height }}
      onClick={({ target }) => {
        // An option has no buttons in it. The keys of the list do the same.
        const part = (target as Element).closest('[data-click]')?.getAttribute('data-click');
        if (part === 'open') onOpen();
        else if (part === 'choose') onChoose();
        else onActive();
      }}
      className={`flex items-center gap-3 border-b border-line/60 pr-4 pl-1 ${active ? 'bg-accent/10' : 'hover:bg-text/4'}`}
    >
      {row && <RowCells {...{ row, chosen }} />}
    </div>
  );
}

function RowCells({ row, chosen }: { readonly row: ListedRecording; readonly chosen: boolean }) {
  const { at, server, version, requests, errors, durationMs, bytes, incomplete, tags } = row;
  const cells = [
    formatDate(at),
    formatCount(requests),
    errors === 0 ? '' : formatCount(errors),
    callTimes(row),
    formatDuration(durationMs * 1000),
    formatBytes(bytes),
  ];
  const facts = factsOf(row);
  return (
    <>
      {/* Shows what the space bar does, and takes a click. */}
      <span
        data-click="choose"
        className="flex h-full w-6 shrink-0 cursor-pointer items-center justify-center"
        aria-hidden="true"
      >
        <span
          className={`flex size-3.5 items-center justify-center rounded-sm border text-[10px] leading-none ${chosen ? 'border-accent bg-accent text-bg' : 'border-control'}`}
        >
          {chosen && '✓'}
        </span>
      </span>
      <span className="min-w-0 flex-1" aria-hidden="true">
        <span className="flex min-w-0 items-center gap-2">
          <bdi
            data-click="open"
            title={visibleText(server)}
            className="max-w-[60%] shrink-0 cursor-pointer truncate font-medium text-accent hover:underline"
          >
            {visibleText(server) || 'Unnamed server'}
          </bdi>
          <span className="flex min-w-0 flex-1 items-center gap-2 overflow-hidden">
            {incomplete && (
              <Badge tone="warn" title="Frames are missing, or the end">
                incomplete
              </Badge>
            )}
            {version !== undefined && (
              <bdi className={`max-w-40 min-w-8 truncate text-small text-muted ${WIDE_ONLY}`}>
                {visibleText(version)}
              </bdi>
            )}
            {tags.slice(0, SHOWN_TAGS).map((tag) => (
              <bdi
                key={tag}
                title={visibleText(tag)}
                className={`max-w-28 min-w-8 truncate rounded bg-text/6 px-1.5 text-small text-muted ${WIDE_ONLY}`}
              >
                {visibleText(tag)}
              </bdi>
            ))}
            {tags.length > SHOWN_TAGS && (
              <span className={`shrink-0 text-small text-muted ${WIDE_ONLY}`}>+{tags.length - SHOWN_TAGS}</span>
            )}
          </span>
        </span>
        <bdi title={facts} className="block truncate text-small text-muted">
          <span className="@min-[640px]:hidden">
            <span className="narrow:hidden">{formatDate(at)} · </span>
            {[version, ...tags, ''].flatMap((one) => (one === undefined ? [] : visibleText(one))).join(' · ')}
          </span>
          {facts}
        </bdi>
        <span className="hidden text-small text-muted narrow:block">{formatDate(at)}</span>
      </span>
      {COLUMNS.map(({ title, className }, index) => (
        <span
          key={title}
          aria-hidden="true"
          title={title === 'Call times' ? cells[index] : undefined}
          className={`tabular shrink-0 whitespace-nowrap ${className} ${title === 'Errors' ? 'text-error' : 'text-muted'}`}
        >
          {cells[index]}
        </span>
      ))}
    </>
  );
}

/** Returns where a recording came from, in one line. */
function factsOf({ check, info, host, author, commit, ci, problems }: ListedRecording): string {
  return [check && 'check', info, host, author, commit?.slice(0, 8), ci, problems > 0 && countOf(problems, 'problem')]
    .flatMap((fact) => (fact ? visibleText(fact) : []))
    .join(' · ');
}

/** Returns a row as one sentence for screen readers. */
function spokenRow(row: ListedRecording): string {
  const { server, version, at, requests, errors, incomplete, tags } = row;
  return [
    [server, version]
      .filter(Boolean)
      .map((text) => visibleText(text!))
      .join(' '),
    formatDate(at),
    countOf(requests, 'request'),
    errors > 0 && countOf(errors, 'error'),
    incomplete && 'incomplete',
    factsOf(row),
    tags.length > 0 && `tags ${tags.map(visibleText).join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}
