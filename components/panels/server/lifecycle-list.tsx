import { FrameLink } from '@/components/exchange/frame-link';
import { lifecycleWords } from '@/components/log/lifecycle-words';
import { formatTime } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import { toLifecycleEvent } from '@/lib/store/connection-facts';
import type { Log } from '@/lib/store/log';

/** Newest events shown; the rest is in the log. */
const MOST = 60;

/** What happened to the connection, in order. */
export function LifecycleList({ log }: { readonly log: Log }) {
  const seqs = useLogState(log, (state) => state.connection.seqs);
  const shown = seqs.slice(-MOST);
  return (
    <section aria-label="Lifecycle" className="min-w-0">
      <h2 className="mb-1 font-medium">Lifecycle</h2>
      {seqs.length > shown.length && <p className="text-muted">The newest {MOST} events; the others are in the log.</p>}
      <ol className="flex flex-col gap-0.5">
        {shown.map((seq) => {
          const text = log.text(seq - 1);
          const event = toLifecycleEvent(text);
          const words = (event && lifecycleWords(event)) ?? text;
          return (
            <li key={seq} className="grid grid-cols-[72px_minmax(0,1fr)_auto] gap-2">
              <span className="tabular text-muted">{formatTime(log.row(seq - 1).time)}</span>
              <span className="break-words">{visibleText(words.slice(0, 600))}</span>
              <span className="text-small">
                <FrameLink seq={seq} label="frame" />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
