import { useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLog, useLogBehind } from '@/lib/hooks/log';
import { type ComparedHost, compareHosts, HOST_TOPICS, type HostDifference } from '@/lib/host/compare-hosts';
import { hostParameters } from '@/lib/host/host-view';
import { hostTitle } from '@/lib/host/words';
import type { Log } from '@/lib/store/log';
import { type SeenHost, useHost } from './use-host';

/** The differences between two hosts of the same server. */
export function HostComparisonView({
  log,
  other,
  title,
  onClose,
}: {
  readonly log: Log;
  /** id of the other session. */
  readonly other: string;
  /** Its label. */
  readonly title: string;
  readonly onClose: () => void;
}) {
  const otherLog = useLog(other);
  const [one, two] = [useHost(log), useHost(otherLog)];
  const behind = useLogBehind(log) + useLogBehind(otherLog);
  const comparison = useMemo(() => {
    const [before, after] = [comparedHost(log, one), comparedHost(otherLog, two)];
    return before && after && { before, after, ...compareHosts(before, after) };
  }, [log, otherLog, one, two]);
  if (!comparison || behind > 0) {
    return (
      <div className="flex p-3">
        <WorkProgress what="Reading both sessions" onCancel={onClose} />
      </div>
    );
  }
  const { before, after, differences, same, otherServer, isCut } = comparison;
  const [left, right] = [hostTitle(before.view), hostTitle(after.view)];
  return (
    <section aria-label="Two hosts" className="min-h-0 flex-1 overflow-auto p-3">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 className="min-w-0 flex-1 font-medium">
          <UntrustedText text={left} limit={100} /> and <UntrustedText text={right} limit={100} />{' '}
          <span className="font-normal text-muted">({visibleText(title)})</span>
        </h2>
        <Button size="small" variant="ghost" onClick={onClose}>
          Close comparison
        </Button>
      </div>
      {otherServer && <p className="mb-2 text-warn">! They use different servers.</p>}
      {differences.length === 0 ? (
        <EmptyState title="No differences">Both hosts use the server in the same way, as far as they did</EmptyState>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full table-fixed border-collapse text-left">
            <thead className="text-small text-muted">
              <tr>
                <th className="w-1/3 border-b border-line py-0.5 pr-3 font-normal">Difference</th>
                {[left, right].map((name, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two hosts can have the same name
                  <th key={at} className="border-b border-line py-0.5 pr-3 font-normal break-words">
                    <UntrustedText text={name} limit={100} />
                  </th>
                ))}
              </tr>
            </thead>
            {HOST_TOPICS.map((topic) => (
              <Topic key={topic} topic={topic} rows={differences.filter((one) => one.topic === topic)} />
            ))}
          </table>
        </div>
      )}
      {isCut && <p className="mt-2 text-muted">There are more. `mcp-inspect report --usage` prints them.</p>}
      {same.length > 0 && differences.length > 0 && (
        <p className="mt-2 text-muted">The same: {same.join(', ').toLowerCase()}</p>
      )}
    </section>
  );
}

function comparedHost(log: Log, { view, reader, progress }: SeenHost): ComparedHost | undefined {
  // The other log may not have arrived yet.
  return progress.of === 0 || !view ? undefined : { view, parameters: (tool) => hostParameters(log, reader, tool) };
}

function Topic({ topic, rows }: { readonly topic: string; readonly rows: readonly HostDifference[] }) {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th colSpan={3} scope="rowgroup" className="bg-surface px-1 py-0.5 text-small font-medium">
          {topic}
        </th>
      </tr>
      {rows.map(({ what, before, after }) => (
        <tr key={what} className="border-b border-line align-top">
          <th scope="row" className="py-0.5 pr-3 pl-1 font-normal wrap-anywhere">
            <UntrustedText text={what} limit={200} />
          </th>
          {[before, after].map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the two sides
            <td key={at} className="py-0.5 pr-3 wrap-anywhere text-muted">
              <UntrustedText text={text} limit={600} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
