import { useMemo, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Dialog } from '@/components/ui/dialog';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/location';
import { useLogSize } from '@/lib/hooks/log';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import type { Log } from '@/lib/store/log';
import { spanNames } from '@/lib/store/telemetry/span-names';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';

/** Names shown at first, and added by each press. */
const SHOWN = 12;
const NAME_CHARS = 300;

const NUMBER = 'tabular px-2 text-right whitespace-nowrap';
/** Columns that a narrow panel has no room for. */
const WIDE_ONLY = '@max-[560px]:hidden';

const HEADINGS: readonly { readonly title: string; readonly about?: string; readonly className?: string }[] = [
  { title: 'Span' },
  { title: 'Service', className: `w-[18%] ${WIDE_ONLY}` },
  { title: 'Count', className: 'w-16 text-right' },
  { title: 'Failed', className: `w-16 text-right ${WIDE_ONLY}` },
  { title: 'Median', className: 'w-20 text-right' },
  { title: 'p95', className: `w-20 text-right ${WIDE_ONLY}` },
  { title: 'Own time', about: 'Time in which no span below ran, summed up', className: 'w-20 text-right' },
];

/** A dialog with the names of spans, their number and durations, those with the most time of their own first. */
export function SpanNamesDialog({ log, onClose }: { readonly log: Log; readonly onClose: () => void }) {
  const [limit, setLimit] = useState(SHOWN);
  const { navigate } = useLocation();
  const size = useLogSize(log);
  const index = useSpanIndex(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index is read again when the log has grown
  const names = useMemo(() => (index ? spanNames(index) : []), [index, size]);
  const left = names.length - limit;
  return (
    <Dialog title="Spans by name" width="wide" onClose={onClose}>
      <div className="@container">
        <table className="w-full table-fixed border border-line text-left">
          <thead className="text-small text-muted">
            <tr className="border-b border-line">
              {HEADINGS.map(({ title, about, className }) => (
                <th key={title} scope="col" title={about} className={classNames('px-2 font-normal', className)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.slice(0, limit).map(({ service, name, count, failed, medianUs, p95Us, ownUs, longest }) => {
              const shown = visibleText(name.slice(0, NAME_CHARS)) || '(no name)';
              return (
                <tr key={`${service} ${name}`} className="h-6 hover:bg-text/4">
                  <td className="truncate px-2">
                    <button
                      type="button"
                      title={`Show the longest: ${shown}`}
                      className="max-w-full truncate text-left font-mono text-wire hover:underline"
                      onClick={() => {
                        onClose();
                        navigate({ frame: longest });
                      }}
                    >
                      <bdi>{shown}</bdi>
                    </button>
                  </td>
                  <td className={classNames('truncate px-2 text-muted', WIDE_ONLY)}>
                    <bdi>{visibleText(service.slice(0, NAME_CHARS))}</bdi>
                  </td>
                  <td className={NUMBER}>{formatCount(count)}</td>
                  <td className={classNames(NUMBER, WIDE_ONLY, failed > 0 && 'text-error')}>
                    {failed > 0 && formatCount(failed)}
                  </td>
                  <td className={NUMBER}>{formatDuration(medianUs)}</td>
                  <td className={classNames(NUMBER, WIDE_ONLY)}>{formatDuration(p95Us)}</td>
                  <td className={NUMBER}>{formatDuration(ownUs)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {names.length === 0 && <p className="mt-1 text-muted">The log has no spans</p>}
        {left > 0 && (
          <button type="button" className="mt-1 text-link" onClick={() => setLimit(limit + 10 * SHOWN)}>
            Show {formatCount(Math.min(left, 10 * SHOWN))} more
          </button>
        )}
        {index !== undefined && index.forgotten > 0 && (
          <p className="mt-1 text-muted">
            Without {countOf(index.forgotten, 'old unit')} of telemetry, which can be seen in the log only, because
            there are too many.
          </p>
        )}
      </div>
    </Dialog>
  );
}
