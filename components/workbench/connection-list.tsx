import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import {
  type ConnectionEntry,
  connectionEntries,
  connectionLabels,
  runLabel,
} from '@/components/exchange/connection-labels';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { plainSentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatClock } from '@/lib/wire/format';
import { InsecureBadge, isLive, isPlainlyOpen, StateDot, stateLabel } from './connection-state';

export interface ConnectionListProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: string | undefined;
  readonly onSelect: (connection: string) => void;
  /** Removes ended connections and their logs from the list. */
  readonly onRemove: (connections: readonly string[]) => void;
  readonly onAdd: () => void;
}

/**
 * The servers, with their runs, and the opened recordings since mcp-inspect started, oldest first. What has ended stays
 * until the user removes it.
 */
export function ConnectionList(props: ConnectionListProps) {
  const { connections, selected, onRemove, onAdd } = props;
  const list = useScrollToCurrent(selected);
  const labels = connectionLabels(connections);
  const entries = connectionEntries(connections);
  const servers = entries.filter(({ newest }) => !newest.recording);
  const tapped = entries.filter(({ newest }) => newest.recording?.tap);
  const recordings = entries.filter(({ newest }) => newest.recording && !newest.recording.tap);
  const ended = endedRuns(connections);
  const row = (entry: ConnectionEntry) => <EntryRow key={entry.id} {...props} entry={entry} labels={labels} />;
  return (
    // In a low window it gives way before the panels do, until three servers are left in view.
    <div
      ref={list}
      className={`shrink-[1000] scroll-pt-8 overflow-y-auto pb-2 ${entries.length > 2 ? 'min-h-28' : 'min-h-15'}`}
    >
      <Group
        title="Servers"
        failed={servers.filter(({ newest }) => newest.state === 'failed').length}
        action={
          <IconButton label="Add server" onClick={onAdd}>
            <Icon name="plus" />
          </IconButton>
        }
      >
        {servers.map(row)}
      </Group>
      {servers.length === 0 && <p className="px-3 text-small text-muted">None connected</p>}
      {ended.length >= 2 && (
        <Button
          variant="ghost"
          size="small"
          onClick={() => onRemove(ended)}
          title="Remove ended connections and their logs from this list. Recordings are kept"
          className="mx-1 text-muted!"
        >
          Remove ended
        </Button>
      )}
      {tapped.length > 0 && <Group title="Tapped sessions">{tapped.map(row)}</Group>}
      {recordings.length > 0 && <Group title="Open recordings">{recordings.map(row)}</Group>}
    </div>
  );
}

/** Returns the ended runs of all entries whose newest run has ended. */
export function endedRuns(connections: readonly ConnectionSummary[]): readonly string[] {
  return connectionEntries(connections)
    .filter(({ newest }) => !newest.recording && !isLive(newest.state))
    .flatMap(({ newest, older }) => [newest, ...older])
    .map(({ id }) => id);
}

/** Entries of a group from which on some are usually out of sight. */
const CROWDED = 4;

function Group({
  title,
  failed = 0,
  action,
  children,
}: {
  readonly title: string;
  /** Number of servers that failed, perhaps out of sight. */
  readonly failed?: number;
  readonly action?: ReactNode;
  readonly children: readonly ReactNode[];
}) {
  return (
    <section aria-label={title}>
      <div className="sticky top-0 z-1 flex h-8 items-center justify-between gap-1.5 bg-surface pr-1 pl-3">
        <h2 className="truncate text-small font-medium text-muted">{title}</h2>
        {failed > 0 && children.length >= CROWDED && (
          <span className="tabular mr-auto truncate text-small text-error">× {failed} failed</span>
        )}
        {action}
      </div>
      <ul className="flex flex-col gap-px px-1">{children}</ul>
    </section>
  );
}

/** Keeps the selected connection in view. Returns a ref for the list. */
function useScrollToCurrent(selected: string | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (selected === undefined || !element) return;
    const current = element.querySelector('[aria-current=true]');
    if (!current) return;
    // The list gets lower, or the entry higher once the server’s name is known. The observer also fires at the start.
    const inSight = new ResizeObserver(() => current.scrollIntoView({ block: 'nearest' }));
    inSight.observe(element);
    inSight.observe(current);
    return () => inSight.disconnect();
  }, [selected]);
  return list;
}

interface EntryRowProps extends ConnectionListProps {
  readonly entry: ConnectionEntry;
  readonly labels: ReadonlyMap<string, string>;
}

/** An entry: the newest run, and below it the older ones when they are unfolded. */
function EntryRow({ entry: { newest, older }, labels, selected, onSelect, onRemove }: EntryRowProps) {
  const [unfolded, setUnfolded] = useState<boolean>();
  // Trials of capabilities are many. The table of their results leads to each.
  const listed = older.filter(({ id, trial }) => trial === undefined || id === selected);
  const shown = unfolded ?? listed.some(({ id }) => id === selected);
  const label = labels.get(newest.id)!;
  const { id, state, recording, insecure, waiting, run } = newest;
  const isOpen = isPlainlyOpen(newest);
  return (
    <li>
      <div className="group relative rounded hover:bg-text/6 has-[[aria-current=true]]:bg-text/10">
        <button
          type="button"
          aria-current={id === selected}
          title={tooltipOf(newest, label)}
          onClick={() => onSelect(id)}
          // The whole entry can be pressed.
          className="flex min-h-7 w-full items-start gap-2 rounded px-2 py-1 text-left after:absolute after:inset-0 after:rounded aria-[current=true]:font-medium"
        >
          <span className="flex h-5 items-center">
            <StateDot connection={newest} />
          </span>
          <bdi className="line-clamp-2 min-w-0 break-words">{label}</bdi>
          {insecure && <InsecureBadge short />}
          {waiting !== undefined && (
            <span className="tabular ml-auto shrink-0 text-small leading-5 font-medium text-accent">
              {waiting}
              <span className="sr-only"> {waiting === 1 ? 'question' : 'questions'} for you</span>
            </span>
          )}
        </button>
        {(!isOpen || run !== undefined || listed.length > 0) && (!recording || recording.tap) && (
          <p className="flex min-h-5 items-center gap-1 pl-6 text-small text-muted">
            {recording?.tap?.host && <bdi className="truncate pb-1">{visibleText(recording.tap.host)} ·</bdi>}
            {!isOpen && <span className="pb-1">{stateLabel(newest)}</span>}
            {!isOpen && (run !== undefined || listed.length > 0) && <span className="pb-1">·</span>}
            {listed.length > 0 ? (
              <button
                type="button"
                aria-expanded={shown}
                title={shown ? 'Hide older runs' : 'Show older runs'}
                onClick={() => setUnfolded(!shown)}
                className="relative -ml-1 flex h-6 min-w-6 items-center gap-1 rounded px-1 hover:text-text"
              >
                <span>{runLabel(newest)}</span>
                <Icon name={shown ? 'maximise' : 'down'} />
                <span className="sr-only">of {label}, older runs</span>
              </button>
            ) : (
              run !== undefined && <span className="pb-1">{runLabel(newest)}</span>
            )}
          </p>
        )}
        {!isLive(state) && (
          <RemoveButton
            label={`${recording ? 'Close' : 'Remove'} ${label}`}
            onClick={() => onRemove([newest, ...older].map((each) => each.id))}
          />
        )}
      </div>
      {shown && (
        <ul aria-label={`Older runs of ${label}`} className="flex flex-col gap-px pl-4">
          {listed.map((each) => (
            <OlderRun
              key={each.id}
              connection={each}
              label={labels.get(each.id)!}
              current={each.id === selected}
              onSelect={() => onSelect(each.id)}
              onRemove={() => onRemove([each.id])}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** One of the folded runs of an entry. */
function OlderRun({
  connection,
  label,
  current,
  onSelect,
  onRemove,
}: {
  readonly connection: ConnectionSummary;
  readonly label: string;
  readonly current: boolean;
  readonly onSelect: () => void;
  readonly onRemove: () => void;
}) {
  return (
    <li className="group relative">
      <button
        type="button"
        aria-current={current}
        title={tooltipOf(connection, label)}
        onClick={onSelect}
        className="flex h-6 w-full items-center gap-2 rounded px-2 text-left text-small hover:bg-text/6 aria-[current=true]:bg-text/10 aria-[current=true]:font-medium"
      >
        <StateDot connection={connection} />
        <span className="min-w-0 truncate">{runLabel(connection)}</span>
        <span className="tabular min-w-8 truncate text-muted">
          {stateLabel(connection)} · {formatClock(connection.startedAt)}
        </span>
      </button>
      <RemoveButton label={`Remove ${label}`} onClick={onRemove} />
    </li>
  );
}

/** Appears on hover and focus. A rail of icons has no room for it; there the palette has the command. */
function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <IconButton
      label={label}
      onClick={onClick}
      className="absolute top-0.5 right-0 bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 narrow:opacity-100"
    >
      <Icon name="close" />
    </IconButton>
  );
}

function tooltipOf(connection: ConnectionSummary, label: string): string {
  const { title, via, version, serverName, unreachable } = connection;
  return [
    label,
    visibleText(title),
    [stateLabel(connection), via, version && `MCP ${version}`, serverName && visibleText(serverName)]
      .filter(Boolean)
      .join(' · '),
    unreachable && visibleText(plainSentence(unreachable.message)),
  ]
    .filter(Boolean)
    .join('\n');
}
