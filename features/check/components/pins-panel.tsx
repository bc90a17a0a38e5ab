import { useMemo, useState } from 'react';
import { Catalogue } from '@/components/panels/shared/catalogue';
import type { CatalogueItem } from '@/components/panels/shared/entry-list';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { canAccept, PIN_STATUSES, type PinResults, pinStatus } from '@/features/check/lib/pins/pin-results';
import type { PinEntry } from '@/features/check/lib/pins/pins-api';
import { useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';
import { countOf, formatCount } from '@/lib/wire/format';
import { PinDetail } from './pin-detail';
import { isNamed, plainName, STATUS_WORDS, timeText } from './pin-words';
import { type PinActions, usePinActions } from './use-pin-actions';
import { usePinResults } from './use-pin-results';
import { usePins } from './use-pins';

/** The calls of the pins file, with their verdicts and changes. */
export function PinsPanel({ log }: { readonly log: Log }) {
  const { api, status } = useClient();
  const { file, failure, readAgain } = usePins(true);
  if (!api) return <NeedsProxy inFile={status === 'file'} />;
  if (failure && !file) {
    return (
      <div className="p-3">
        <ErrorNote failure={failure}>
          <Button onClick={readAgain}>Try again</Button>
        </ErrorNote>
      </div>
    );
  }
  if (!file) {
    return (
      <p className="flex items-center gap-2 p-4 text-muted">
        <Spinner /> Reading the pins file…
      </p>
    );
  }
  if (file.failure) {
    return (
      <div className="p-3">
        <ErrorNote failure={file.failure} />
      </div>
    );
  }
  if (file.pins.length === 0) return <NoPins path={file.path} />;
  return <PinList log={log} path={file.path} pins={file.pins} onAccepted={readAgain} />;
}

function NeedsProxy({ inFile }: { readonly inFile: boolean }) {
  return (
    <EmptyState title="Pinned calls need the proxy">
      {inFile
        ? 'A shared recording has no pins file. Open the recording in mcp-inspect to pin its calls.'
        : 'They are a file in your repository. Run `npx mcp-inspect` there.'.replaceAll('`', '')}
    </EmptyState>
  );
}

function NoPins({ path }: { readonly path: string }) {
  return (
    <EmptyState title="No pinned calls yet">
      <p>
        Pin a call to check its answer after every change. Select a call in the log, or call a tool, then press{' '}
        <b className="font-medium">Pin the call</b>.
      </p>
      <p className="mt-2 break-all">
        They are kept in <code className="font-mono text-wire">{path}</code>
      </p>
    </EmptyState>
  );
}

function PinList({
  log,
  path,
  pins,
  onAccepted,
}: {
  readonly log: Log;
  readonly path: string;
  readonly pins: readonly PinEntry[];
  readonly onAccepted: () => void;
}) {
  const { item } = useLocation();
  const results = usePinResults(log);
  const actions = usePinActions(log, pins, onAccepted);
  const items = useMemo(() => pins.map((pin) => itemOf(pin, results)), [pins, results]);
  const chosen = pins.find(({ key }) => key === item) ?? (item === undefined ? pins[0] : undefined);
  return (
    <Catalogue
      log={log}
      what="pins"
      items={items}
      selected={chosen?.key}
      onOpen={() => {}}
      note={<PinsBar path={path} pins={pins} results={results} actions={actions} />}
    >
      {chosen ? (
        <PinDetail
          key={chosen.key}
          log={log}
          pin={chosen}
          outcome={results.outcomes.get(chosen.key)}
          actions={actions}
          running={results.running !== undefined}
        />
      ) : (
        <EmptyState title="The pins file doesn’t have that call">Choose one from the list</EmptyState>
      )}
    </Catalogue>
  );
}

function itemOf(pin: PinEntry, { outcomes }: PinResults): CatalogueItem {
  const outcome = outcomes.get(pin.key);
  const { glyph, word, tone, about } = STATUS_WORDS[pinStatus(pin, outcome)];
  const named = isNamed(pin);
  return {
    key: pin.key,
    name: named ? pin.name : (pin.target ?? pin.method),
    isProse: named,
    detail: [named ? plainName(pin) : pin.method, outcome && outcome.verdict !== 'skipped' && timeText(outcome)]
      .filter(Boolean)
      .join(' · '),
    searchText: `${word} ${pin.params}`,
    mark: { label: `${glyph} ${word}`, title: about, tone },
  };
}

/** Runs all calls, accepts changed answers, and sums up the verdicts. */
function PinsBar({
  path,
  pins,
  results,
  actions,
}: {
  readonly path: string;
  readonly pins: readonly PinEntry[];
  readonly results: PinResults;
  readonly actions: PinActions;
}) {
  const { closed, failure, accepts, play, stop, accept } = actions;
  const [asks, setAsks] = useState(false);
  const { running, outcomes, why } = results;
  const isRunning = running !== undefined && closed === undefined;
  const open = acceptable(pins, results);
  return (
    <div className="flex shrink-0 flex-col gap-1 border-b border-line px-2 py-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-1">
        {isRunning ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button variant="primary" disabled={closed !== undefined} title={closed} onClick={() => play()}>
            Run all
          </Button>
        )}
        {accepts && open.length > 0 && !isRunning && !asks && (
          <Button onClick={() => setAsks(true)}>Accept all {formatCount(open.length)}…</Button>
        )}
        {isRunning && <Spinner />}
        <span role="status" className="tabular min-w-0 text-small text-muted">
          {isRunning ? `${formatCount(running.done)} of ${countOf(running.of, 'call')}` : summaryOf(pins, results)}
        </span>
      </div>
      {asks && (
        <p className="flex flex-wrap items-center gap-1">
          <span className="mr-1">
            Have you looked at {open.length === 1 ? 'the answer' : `all ${open.length} answers`}?
          </span>
          <Button
            size="small"
            onClick={() => {
              setAsks(false);
              accept(open.map(({ key }) => key));
            }}
          >
            Accept all
          </Button>
          <Button size="small" variant="ghost" onClick={() => setAsks(false)}>
            Cancel
          </Button>
        </p>
      )}
      {!isRunning && why !== undefined && outcomes.size > 0 && <p className="text-small text-warn">! {why}</p>}
      {closed !== undefined && <p className="text-small text-muted">{closed}</p>}
      {failure && <ErrorNote codeless failure={failure} />}
      <p className="truncate text-small text-muted" title={path}>
        <bdi>{path.split(/[\\/]/).at(-1)}</bdi>
      </p>
    </div>
  );
}

/** Returns the calls whose last answer is not the accepted one. */
function acceptable(pins: readonly PinEntry[], { outcomes }: PinResults): readonly PinEntry[] {
  return pins.filter((pin) => canAccept(pinStatus(pin, outcomes.get(pin.key)), outcomes.get(pin.key)?.answer));
}

/** Returns how many calls stand in which way: "1 broken, 2 changed, 9 same". */
function summaryOf(pins: readonly PinEntry[], { outcomes }: PinResults): string {
  const statuses = pins.map((pin) => pinStatus(pin, outcomes.get(pin.key)));
  return PIN_STATUSES.flatMap((status) => {
    const count = statuses.filter((one) => one === status).length;
    return count === 0 ? [] : [`${formatCount(count)} ${STATUS_WORDS[status].word}`];
  }).join(', ');
}
