import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import { heldFacts, heldName, waitWords } from '@/components/exchange/held-words';
import { Catalogue } from '@/components/panels/shared/catalogue';
import type { CatalogueItem } from '@/components/panels/shared/entry-list';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { RELEASE_ALL_KEYS } from '@/components/ui/old-keys';
import { KeyHint } from '@/components/ui/shortcuts';
import { useInterceptions } from '@/lib/hooks/interceptions';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLogClock } from '@/lib/hooks/log-clock';
import type { Log } from '@/lib/store/log';
import type { Held, InterceptionState } from '@/lib/store/state/interception-state';
import { countOf, formatCount } from '@/lib/wire/format';
import type { HoldDecision } from '@/lib/wire/intercept';
import { DoneList } from './done-list';
import { HeldDetail } from './held-detail';
import { HeldOutcome } from './held-outcome';
import { type PageRules, useIntercepting, usePageRules } from './page-rules';
import { RulesView } from './rules-view';
import { type HoldDecisions, useDecisions } from './use-decisions';
import { neighbourOf, responseTo, useHeldKeys } from './use-held-keys';

/** Keys of the other entries in the list, and in the page's address. */
const RULES = 'rules';
const DONE = 'done';
const HOLD = 'hold-';

/** Time between two updates of the waiting times, in ms. */
const TICK_MS = 1000;

/** Messages that are held, the rules that hold or change messages, and what was done. */
export function InterceptPanel({ log }: { readonly log: Log }) {
  const state = useInterceptions(log);
  const { past } = useIntercepting(log);
  if (past) {
    return state.rules.length + state.count + state.waiting.length === 0 ? (
      <EmptyState title="Nothing was intercepted">
        In an open connection, this panel holds messages and changes them on their way
      </EmptyState>
    ) : (
      <DoneList state={state} past />
    );
  }
  return <LiveIntercept log={log} state={state} />;
}

function LiveIntercept({ log, state }: { readonly log: Log; readonly state: InterceptionState }) {
  const page = usePageRules(log);
  const { closed } = useIntercepting(log);
  const decisions = useDecisions(log);
  const { item } = useLocation();
  const { waiting, done } = state;
  const now = useNow(log, waiting.length > 0);
  const items = useMemo(() => itemsOf(state, page, now), [state, page, now]);
  // A message must not take the place of the one that the user looks at.
  const shown = item ?? (waiting[0] ? `${HOLD}${waiting[0].hold}` : RULES);
  useLayoutEffect(() => {
    if (item === undefined) navigate({ item: shown }, { replace: true });
  }, [item, shown]);
  const hold = shown.startsWith(HOLD) ? Number(shown.slice(HOLD.length)) : undefined;
  const held = waiting.find((one) => one.hold === hold);
  const ended = held ? undefined : done.find((one) => one.hold === hold && hold !== undefined);
  const show = (next: number) => navigate({ item: `${HOLD}${next}` });
  // The message that was decided here while no other was held. Forgotten once the user moves on.
  const [decided, setDecided] = useState<number>();
  if (decided !== undefined && decided !== hold) setDecided(undefined);
  const response = decided !== undefined && ended?.held ? responseTo(ended.held, waiting)?.hold : undefined;
  useEffect(() => {
    if (response !== undefined) navigate({ item: `${HOLD}${response}` });
  }, [response]);
  const decide = async (of: number, decision: HoldDecision) => {
    const next = neighbourOf(
      waiting.filter((one) => one.hold !== of),
      of,
      1,
    );
    const isDone = await decisions.decide(of, decision);
    // The next one, unless the user has moved on.
    if (!isDone || of !== hold) return;
    if (next) flushSync(() => show(next.hold));
    else setDecided(of);
  };
  useHeldKeys({
    waiting,
    hold: closed === undefined ? hold : undefined,
    onShow: show,
    onDrop: (dropped) => void decide(dropped, { do: 'drop' }),
  });
  return (
    <Catalogue
      log={log}
      what="held messages"
      items={items}
      selected={shown}
      onOpen={() => {}}
      note={<InterceptBar {...{ page, waiting, closed, decisions }} />}
    >
      {hold === undefined && waiting.length > 0 && (
        <p className="hidden items-center gap-2 px-3 pt-2 narrow:flex">
          <span className="text-accent">{countOf(waiting.length, 'message')} held</span>
          <Button size="small" onClick={() => show(waiting[0]!.hold)}>
            Show
          </Button>
        </p>
      )}
      {held ? (
        <HeldDetail
          key={held.hold}
          {...{ log, held, now, closed }}
          onDecide={(decision) => void decide(held.hold, decision)}
        />
      ) : ended ? (
        <HeldOutcome log={log} done={ended} />
      ) : shown === DONE ? (
        <DoneList state={state} past={false} />
      ) : hold !== undefined ? (
        <EmptyState title="This message is not held any more">Choose one from the list</EmptyState>
      ) : (
        <RulesView log={log} page={page} state={state} closed={closed} />
      )}
    </Catalogue>
  );
}

/** Returns the log's time in µs. Counts only while something waits. */
function useNow(log: Log, counts: boolean): number {
  const clock = useLogClock(log);
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [counts]);
  // Whole seconds, so that the list is made again only when a waiting time has changed.
  return counts ? Math.floor(clock() / 1e6) * 1e6 : 0;
}

function itemsOf(
  { waiting, count }: InterceptionState,
  { rules, on, everything }: Pick<PageRules, 'rules' | 'on' | 'everything'>,
  now: number,
): readonly CatalogueItem[] {
  const active = on.size + (everything ? 1 : 0);
  return [
    ...waiting.map((held) => heldItem(held, now)),
    {
      key: RULES,
      name: 'Rules',
      isProse: true,
      isExtra: true,
      detail: active > 0 ? `${formatCount(active)} on` : rules.length > 0 ? 'all off' : 'none',
    },
    {
      key: DONE,
      name: 'Intercepted',
      isProse: true,
      isExtra: true,
      detail: count === 0 ? 'none' : countOf(count, 'message'),
    },
  ];
}

function heldItem(held: Held, now: number): CatalogueItem {
  return {
    key: `${HOLD}${held.hold}`,
    name: [heldName(held), held.name].filter(Boolean).join(' '),
    detail: heldFacts(held),
    searchText: held.rule,
    attention: waitWords(held, now),
  };
}

/** The switch that holds everything, and the button that releases what waits. */
function InterceptBar({
  page,
  waiting,
  closed,
  decisions,
}: {
  readonly page: PageRules;
  readonly waiting: readonly Held[];
  readonly closed: string | undefined;
  readonly decisions: HoldDecisions;
}) {
  const { everything, holdEverything } = page;
  return (
    <div className="flex shrink-0 flex-col gap-1 border-b border-line px-2 py-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          aria-pressed={everything}
          disabled={closed !== undefined}
          title={closed ?? 'Holds each message in both directions until you decide'}
          onClick={() => holdEverything(!everything)}
          className="aria-pressed:border-accent aria-pressed:bg-accent/12"
        >
          Hold everything
        </Button>
        {waiting.length > 0 && (
          <Button
            disabled={closed !== undefined}
            onClick={() => decisions.releaseAll(waiting.map((held) => held.hold))}
          >
            Release all {formatCount(waiting.length)}
          </Button>
        )}
        {waiting.length > 0 && (
          <span aria-hidden="true" className="narrow:hidden">
            <KeyHint keys={RELEASE_ALL_KEYS} />
          </span>
        )}
      </div>
      {closed !== undefined && <p className="text-small text-muted">{closed}</p>}
      {decisions.failure && <ErrorNote failure={decisions.failure} />}
      {page.failure && <ErrorNote failure={page.failure} />}
    </div>
  );
}
