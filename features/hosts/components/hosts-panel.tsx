import { EmptyState } from '@/components/ui/notices';
import type { HostState } from '@/features/host-judge';
import { useDraft } from '@/lib/hooks/drafts';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { worstFirst } from '../lib/labels';
import { useChosenHosts } from './chosen-hosts';
import { HostRow } from './host-row';
import { useVerdicts } from './use-verdicts';

/** Rows that a person folded or unfolded. */
type Folds = Readonly<Record<string, boolean>>;
const NO_FOLDS: Folds = {};

/** States before the tools are listed, if no obstacle is known. */
const EARLY: ReadonlySet<HostState> = new Set(['unknown', 'out-of-reach']);

/** Which hosts have trouble with the server, as far as the session shows. */
export function HostsPanel({ log }: { readonly log: Log }) {
  const verdicts = useVerdicts(log);
  const { chosen, choose } = useChosenHosts();
  const { item } = useLocation();
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const failed = useLogState(log, ({ connection }) => connection.failure !== undefined);
  const [unfolded, setUnfolded] = useDraft<Folds>(`hosts unfolded ${server}`, NO_FOLDS);
  if (!verdicts) return <EmptyState title="Judging…" />;
  if (verdicts.every(({ state, obstacles }) => obstacles.length === 0 && EARLY.has(state))) {
    const [why] = failed ? verdicts.flatMap(({ untried }) => untried) : [];
    return (
      <EmptyState title={failed ? 'Nothing to judge' : 'Nothing to judge yet'}>
        {why ?? 'Verdicts on hosts appear here once the server has answered the handshake and listed its tools'}
      </EmptyState>
    );
  }
  return (
    <div className="@container min-h-0 flex-1 overflow-auto">
      <p className="px-3 py-2 text-muted">
        Dated facts about each host, compared with this session. Check the hosts that you use: they stay open and show
        in the bottom line
      </p>
      <ul className="border-t border-line">
        {worstFirst(verdicts).map((verdict) => {
          const { host } = verdict;
          const isChosen = chosen.includes(host);
          const isShown = item === host;
          return (
            <HostRow
              key={host}
              log={log}
              verdict={verdict}
              isChosen={isChosen}
              onChoose={(next) => choose(host, next)}
              isShown={isShown}
              isOpen={unfolded[host] ?? (isChosen || isShown)}
              onOpen={(open) => setUnfolded({ ...unfolded, [host]: open })}
            />
          );
        })}
      </ul>
    </div>
  );
}
