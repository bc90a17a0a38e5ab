import { connectionEntries, connectionLabels } from '@/components/exchange/connection-labels';
import { visibleText } from '@/components/ui/visible-text';
import { useConnections } from '@/lib/hooks/connections';
import { StateDot, stateLabel } from '../connection-state';

/** The sessions of taps that run now. A click shows one. Empty without any. */
export function LiveSessions({ onShow }: { readonly onShow: (connection: string) => void }) {
  const { connections } = useConnections();
  const live = connectionEntries(connections).filter(({ newest }) => newest.recording?.tap?.live);
  if (live.length === 0) return null;
  const labels = connectionLabels(connections);
  return (
    <section aria-label="Live" className="flex min-w-0 flex-col gap-1">
      <h3 className="font-medium">Live</h3>
      <ul className="-mx-2">
        {live.map(({ id, newest }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onShow(newest.id)}
              title={visibleText(newest.title)}
              className="flex h-8 w-full min-w-0 items-center gap-2 rounded px-2 text-left hover:bg-text/6"
            >
              <span className="flex w-4 justify-center">
                <StateDot connection={newest} />
              </span>
              <bdi className="min-w-0 truncate font-medium">{labels.get(newest.id)}</bdi>
              <bdi className="min-w-0 flex-1 truncate text-small text-muted">
                {[`tap of ${newest.recording?.tap?.host ?? 'a host'}`, stateLabel(newest)].map(visibleText).join(' · ')}
              </bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
