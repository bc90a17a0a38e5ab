import { Button } from '@/components/ui/button';
import { NARROW, useMedia } from '@/components/ui/media';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { Split } from '@/components/ui/split';
import { tabPanelId } from '@/components/ui/tabs';
import { visibleText } from '@/components/ui/visible-text';
import type { EvalSummary } from '@/features/evals/lib/evals-api';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { formatDate } from '@/lib/wire/format';
import { NEW_EVAL, SHOWN_DRAFT } from './drafts';
import { EvalView } from './eval-view';
import { NewEval } from './new-eval';
import { useEvals } from './use-evals';
import { rateText } from './words';

/** Measures whether models pick the right tools: evals of this machine, and a new one. */
export function EvalsPage() {
  const { api } = useClient();
  return (
    <section
      aria-labelledby="evals-title"
      id={tabPanelId('panel')}
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-1 flex-col outline-none"
    >
      {api ? <Evals /> : <EmptyState title="Evals need the proxy">Run npx mcp-inspect to measure models.</EmptyState>}
    </section>
  );
}

function Evals() {
  const { list, failure } = useEvals();
  const [shown, setShown] = useDraft<string>(SHOWN_DRAFT, '');
  const isNarrow = useMedia(NARROW);
  if (failure && !list) {
    return (
      <div className="p-3">
        <ErrorNote failure={failure} />
      </div>
    );
  }
  if (!list) {
    return (
      <p className="flex items-center gap-2 p-4 text-muted">
        <Spinner /> Reading the evals…
      </p>
    );
  }
  const chosen = list.evals.find(({ id }) => id === shown);
  const isNew = shown === NEW_EVAL || (list.evals.length === 0 && !isNarrow);
  const detail = chosen ? (
    <EvalView key={chosen.id} id={chosen.id} all={list.evals} onGone={() => setShown('')} />
  ) : isNew ? (
    <NewEval files={list.files} keepsNothing={list.keepsNothing} onStarted={setShown} />
  ) : (
    <EmptyState title="Choose an eval, or start a new one" />
  );
  return (
    <Split
      id="evals"
      orientation="horizontal"
      label="Resize list of evals"
      startSize="260px"
      startMin="180px"
      endMin="320px"
      narrow={chosen || isNew ? 'end' : 'start'}
      start={<EvalList evals={list.evals} shown={isNew ? NEW_EVAL : shown} onShow={setShown} />}
      end={
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="hidden shrink-0 border-b border-line px-3 py-1 narrow:block">
            <Button size="small" variant="ghost" onClick={() => setShown('')}>
              ‹ All evals
            </Button>
          </div>
          {detail}
        </div>
      }
    />
  );
}

function EvalList({
  evals,
  shown,
  onShow,
}: {
  readonly evals: readonly EvalSummary[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
}) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 items-center gap-2 border-b border-line px-3">
        <h2 id="evals-title" className="flex-1 font-medium">
          Evals
        </h2>
        <Button size="small" aria-pressed={shown === NEW_EVAL} onClick={() => onShow(NEW_EVAL)}>
          New eval
        </Button>
      </div>
      {evals.length === 0 ? (
        <p className="p-3 text-muted">Evals that ran here, or in a terminal, are listed here</p>
      ) : (
        <ul aria-label="Evals" className="min-h-0 flex-1 divide-y divide-line overflow-auto">
          {evals.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                aria-current={one.id === shown ? 'true' : undefined}
                onClick={() => onShow(one.id)}
                className="flex w-full min-w-0 flex-col px-3 py-1.5 text-left hover:bg-text/6 aria-[current]:bg-accent/12"
              >
                <span className="flex w-full min-w-0 items-baseline gap-2">
                  <bdi className="min-w-0 flex-1 truncate font-medium">{visibleText(one.title)}</bdi>
                  <StateWord {...one} />
                </span>
                <span className="max-w-full truncate text-small text-muted">{visibleText(one.models.join(', '))}</span>
                <span className="tabular text-small text-muted">{formatDate(one.at)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function StateWord({ state, made, planned, passed }: EvalSummary) {
  if (state === 'running') {
    return (
      <span className="tabular flex shrink-0 items-center gap-1 text-small text-accent">
        <Spinner /> {made} of {planned}
      </span>
    );
  }
  if (state === 'stopped') {
    return (
      <span className="tabular shrink-0 text-small text-warn">
        ! stopped, {made} of {planned}
      </span>
    );
  }
  const isFine = passed === made;
  return (
    <span className={`tabular shrink-0 text-small ${isFine ? 'text-ok' : 'text-error'}`}>
      {isFine ? '✓' : '×'} {rateText({ made, passed })}
    </span>
  );
}
