import type { ReactNode } from 'react';
import type { Panel, PanelPlace } from '@/components/panels/panel';
import { PANELS, panelOf, RUNS_PANELS } from '@/components/panels/registry';
import { classNames } from '@/components/ui/class-names';
import { Icon, type IconName } from '@/components/ui/icon';
import { KeyHint } from '@/components/ui/shortcuts';
import { useLocation } from '@/lib/hooks/location';
import { useShownLog } from '@/lib/hooks/moment';
import { useWatch } from '@/lib/hooks/watch';
import { LaterParts } from './part-boundary';
import type { WorkbenchState } from './use-workbench';

interface RailProps {
  readonly workbench: WorkbenchState;
  /** True while the log fills the window. */
  readonly maximised: boolean;
  readonly onMaximise: () => void;
  /** Called once a place is chosen. */
  readonly onChosen: () => void;
}

/**
 * The left edge: what the server can do, what happened, and what waits for the person. A new feature gets a place on an
 * object, and an entry here only where another goes.
 */
export function Rail({ workbench, maximised, onMaximise, onChosen }: RailProps) {
  const { selected, recordingsShown, shownPage, comparing, openPanel, openPlace, openRecordings, setDialog } =
    workbench;
  const { panel } = useLocation();
  const [runs] = RUNS_PANELS;
  const shown = recordingsShown ? undefined : comparing ? runs : panelOf(shownPage?.tabOf ?? panel);
  const entry = (to: PanelPlace, connection: string) => (
    <PlaceEntry
      key={to}
      connection={connection}
      first={PANELS.find((panel) => panel.place === to)!}
      isCurrent={!maximised && to === shown?.place}
      onOpen={() => {
        openPlace(to);
        onChosen();
      }}
    />
  );
  return (
    <nav
      aria-label="Views"
      className="flex w-11 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-1 narrow:hidden"
    >
      {selected && (
        <>
          {entry('browse', selected.id)}
          <Entry title="Log" keys="m" icon="log" isCurrent={maximised} onOpen={onMaximise} />
          {PANELS.filter(({ place }) => place === 'own').map((own) => (
            <PlaceEntry
              key={own.id}
              first={own}
              connection={selected.id}
              isCurrent={!maximised && own === shown}
              onOpen={() => {
                openPanel(own.id);
                onChosen();
              }}
            />
          ))}
          <span className="h-3" />
          {entry('inbox', selected.id)}
          {entry('problems', selected.id)}
          {runs && (
            <RunsEntry first={runs} connection={selected.id} isCurrent={!maximised && shown?.place === 'runs'}>
              {entry('runs', selected.id)}
            </RunsEntry>
          )}
        </>
      )}
      <span className="flex-1" />
      {openRecordings && (
        <Entry
          title="Recordings"
          keys="g l"
          icon="recordings"
          isCurrent={recordingsShown}
          onOpen={() => {
            openRecordings();
            onChosen();
          }}
        />
      )}
      <Entry title="Settings" keys="g ," icon="settings" isCurrent={false} onOpen={() => setDialog('settings')} />
    </nav>
  );
}

/** An entry of the rail for a place, named as its first panel unless it has several. */
function PlaceEntry({
  first,
  connection,
  isCurrent,
  onOpen,
}: {
  readonly first: Panel;
  readonly connection: string;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}) {
  const [title, icon]: readonly [string, IconName] =
    first.place === 'browse' ? ['Browse', 'browse'] : [first.title, first.icon];
  return (
    <Entry {...{ title, icon, isCurrent, onOpen }} keys={`g ${first.key}`} isDim={first.Badge !== undefined}>
      {first.Badge && (
        <LaterParts name="A number">
          <PanelBadge connection={connection} Badge={first.Badge} />
        </LaterParts>
      )}
    </Entry>
  );
}

function PanelBadge({
  connection,
  Badge,
}: {
  readonly connection: string;
  readonly Badge: NonNullable<Panel['Badge']>;
}) {
  return <Badge log={useShownLog(connection)} />;
}

/** The entry for runs: once its panel has something, while the server is watched, and while they are shown. */
function RunsEntry({
  first: { useIsWanted = ALWAYS },
  connection,
  isCurrent,
  children,
}: {
  readonly first: Panel;
  readonly connection: string;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}) {
  const isWanted = useIsWanted();
  const isWatched = useWatch(connection) !== undefined;
  return isCurrent || isWatched || isWanted ? children : null;
}

const ALWAYS = () => true;

interface EntryProps {
  readonly title: string;
  /** The shortcut that does the same. */
  readonly keys: string;
  readonly icon: IconName;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  /** Dim while the count is empty. */
  readonly isDim?: boolean;
  /** A count; empty for none. */
  readonly children?: ReactNode;
}

/** An icon, with its name on hover and focus. */
function Entry({ title, keys, icon, isCurrent, onOpen, isDim = false, children }: EntryProps) {
  return (
    <button
      type="button"
      aria-label={title}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onOpen}
      className={classNames(
        'group relative flex size-9 shrink-0 items-center justify-center rounded text-muted hover:bg-text/6 hover:text-text',
        'aria-[current]:bg-accent/12 aria-[current]:text-text',
        isDim && '[&:not([aria-current]):has(>[data-count]:empty)>svg]:opacity-55',
      )}
    >
      <Icon name={icon} />
      <span
        data-count
        className="tabular absolute top-0 right-0 rounded bg-surface px-0.5 text-small leading-4 empty:hidden"
      >
        {children}
      </span>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute left-full z-20 ml-1 hidden rounded border border-line bg-raised px-2 py-0.5 text-small whitespace-nowrap text-text shadow group-hover:block group-focus-visible:block"
      >
        {title} <KeyHint keys={keys} />
      </span>
    </button>
  );
}
