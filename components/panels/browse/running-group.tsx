import { Elapsed } from '@/components/exchange/elapsed';
import { Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useCallsInFlight } from '@/lib/hooks/calls-in-flight';
import { navigate } from '@/lib/hooks/location';
import { useLogClock } from '@/lib/hooks/log-clock';
import type { Log } from '@/lib/store/log';
import { BrowseMenu } from './browse-menu';

/** Time after which a call in flight is listed, in ms. */
const LISTED_AFTER_MS = 1000;

/** The calls in flight, at the foot of the list, so that no entry moves. A click shows the call. */
export function RunningGroup({ log }: { readonly log: Log }) {
  const calls = useCallsInFlight(log, LISTED_AFTER_MS);
  const now = useLogClock(log);
  if (calls.length === 0) return null;
  return (
    <section aria-label="Running" className="max-h-1/3 shrink-0 overflow-auto border-t border-line pb-1">
      <div className="flex h-6 items-center justify-between pr-1 pl-2 text-small font-medium text-muted">
        <h3>Running</h3>
        <BrowseMenu log={log} label="More of running calls" />
      </div>
      <ul>
        {calls.map((seq) => {
          const { name, method } = log.exchange(seq) ?? log.row(seq - 1);
          return (
            <li key={seq}>
              <button
                type="button"
                title="Show the call"
                onClick={() => navigate({ frame: seq })}
                className="flex h-6 w-full min-w-0 items-center gap-2 px-2 text-left hover:bg-text/6"
              >
                <Spinner />
                <bdi className="min-w-0 flex-1 truncate font-mono text-wire">{visibleText(name ?? method ?? '')}</bdi>
                <span className="tabular shrink-0 text-small">
                  <Elapsed since={log.columns.time(seq - 1)} now={now} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
