// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on a line, or on a control in its cells
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Checkbox, TextInput } from '@/components/ui/inputs';
import { NARROW, useMedia } from '@/components/ui/media';
import { useRowWindow } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import type { Decision } from '@/lib/redact/rules';
import { countOf, formatCount } from '@/lib/wire/format';
import {
  type Decisions,
  decideRows,
  type FindingGroup,
  type FindingLine,
  type FindingRow,
  isMasked,
  linesOf,
  searchGroups,
} from './finding-groups';

/** Up to this many rows, every group is open at first. */
const OPEN_ROWS = 12;
/** Height of a line in px. In a narrow window a row has two lines of text. */
const LINE_HEIGHT = 28;
const NARROW_LINE_HEIGHT = 48;

/** What may be masked, by kind, with one checkbox per kind, a search, and the single values. */
export function FindingList({
  groups,
  decisions,
  onDecide,
  onLook,
}: {
  readonly groups: readonly FindingGroup[];
  readonly decisions: Decisions;
  readonly onDecide: (decisions: Decisions) => void;
  readonly onLook: (seq: number) => void;
}) {
  const [search, setSearch] = useState('');
  const found = useMemo(() => searchGroups(groups, search), [groups, search]);
  const opening = useOpenGroups(groups, search !== '');
  const { isOpen } = opening;
  const lines = useMemo(() => linesOf(found, isOpen), [found, isOpen]);
  const list = useRef<HTMLDivElement>(null);
  const decide = (group: FindingGroup, rows: readonly FindingRow[], decision: Decision) =>
    onDecide(decideRows(decisions, group, rows, decision));
  if (groups.length === 0) return null;
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search findings"
        placeholder="Search findings"
        value={search}
        onChange={setSearch}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>(TAB_STOP)?.focus();
          // The second Esc closes the dialog.
          else if (event.key !== 'Escape' || search === '') return;
          else setSearch('');
          event.preventDefault();
        }}
        className="shrink-0"
      />
      {lines.length === 0 ? (
        <p className="p-2 text-muted">Nothing matches the search</p>
      ) : (
        <FindingGrid
          list={list}
          lines={lines}
          decisions={decisions}
          opening={opening}
          onDecide={decide}
          onLook={onLook}
        />
      )}
    </>
  );
}

interface OpenGroups {
  readonly isOpen: (key: string) => boolean;
  readonly setOpen: (key: string, open: boolean) => void;
}

/** Groups are open while there is a search or little to show, unless the user opened or closed them. */
function useOpenGroups(groups: readonly FindingGroup[], searching: boolean): OpenGroups {
  const isShort = groups.reduce((rows, { total }) => rows + total, 0) <= OPEN_ROWS;
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [wasSearching, setWasSearching] = useState(searching);
  if (wasSearching !== searching) {
    setWasSearching(searching);
    setChosen(new Map());
  }
  return useMemo(
    () => ({
      isOpen: (key) => chosen.get(key) ?? (searching || isShort),
      setOpen: (key, open) => setChosen(new Map(chosen).set(key, open)),
    }),
    [chosen, searching, isShort],
  );
}

/** Selects what takes the focus by Tab. */
const TAB_STOP = '[tabindex="0"]';
/** Selects what takes the focus in a line that the arrow keys reach. */
const CONTROLS = 'input, [data-place]';

interface GridProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly lines: readonly FindingLine[];
  readonly decisions: Decisions;
  readonly opening: OpenGroups;
  readonly onDecide: (group: FindingGroup, rows: readonly FindingRow[], decision: Decision) => void;
  readonly onLook: (seq: number) => void;
}

/** The lines in view. One line is reached by Tab, the others by arrow keys. */
function FindingGrid(props: GridProps) {
  const { list, lines, opening } = props;
  const rowHeight = useMedia(NARROW) ? NARROW_LINE_HEIGHT : LINE_HEIGHT;
  const { window: shown, reveal, viewport, onScroll } = useRowWindow(list, { count: lines.length, rowHeight });
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, lines.length - 1);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const line = list.current?.querySelector<HTMLElement>(`[data-line="${active}"]`);
    (line?.querySelector<HTMLElement>(CONTROLS) ?? line)?.focus({ preventScroll: true });
  });
  const move = (to: number) => {
    const next = Math.max(0, Math.min(lines.length - 1, to));
    isMoving.current = true;
    setChosen(next);
    reveal(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
    const to = keyTarget(event.key, { lines, active, page, opening });
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  const onFocus = ({ target }: FocusEvent) => {
    const line = target.closest<HTMLElement>('[data-line]');
    if (line) setChosen(Number(line.dataset.line));
  };
  // The active line stays rendered, so that it keeps the focus.
  const indexes = Array.from({ length: Math.max(0, shown.last - shown.first) }, (_, at) => shown.first + at);
  if (!indexes.includes(active)) indexes.push(active);
  return (
    <div
      ref={list}
      role="treegrid"
      aria-label="Secrets and personal details"
      aria-rowcount={lines.length}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onScroll={onScroll}
      className="h-[34vh] min-h-28 shrink-0 overflow-x-hidden overflow-y-auto rounded border border-line [overflow-anchor:none]"
    >
      <div role="presentation" className="relative" style={{ height: shown.height }}>
        {indexes.map((index) => {
          const top = shown.top + (index - shown.first) * rowHeight;
          const place = { index, top, height: rowHeight, tabIndex: index === active ? 0 : -1 };
          const { group, row } = lines[index]!;
          return row ? (
            <ValueLine key={row.id} {...props} group={group} row={row} place={place} />
          ) : (
            <GroupLine key={group.key} {...props} group={group} place={place} />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the line that a key leads to; undefined for other keys. Opens and closes groups. */
function keyTarget(
  key: string,
  {
    lines,
    active,
    page,
    opening,
  }: {
    readonly lines: readonly FindingLine[];
    readonly active: number;
    readonly page: number;
    readonly opening: OpenGroups;
  },
): number | undefined {
  const { group, row } = lines[active]!;
  const isOpen = opening.isOpen(group.key);
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return lines.length - 1;
    case 'ArrowRight':
      if (isOpen) return row ? active : active + 1;
      opening.setOpen(group.key, true);
      return active;
    case 'ArrowLeft':
      if (!row) opening.setOpen(group.key, false);
      return lines.findIndex((line) => line.group === group);
    default:
      return undefined;
  }
}

interface LinePlace {
  readonly index: number;
  /** In px. */
  readonly top: number;
  readonly height: number;
  readonly tabIndex: number;
}

interface LineProps extends Omit<GridProps, 'list' | 'lines'> {
  readonly group: FindingGroup;
  readonly place: LinePlace;
}

const LINE = 'absolute inset-x-0 flex items-center gap-2 border-b border-line px-2';

/** A kind of value, with a checkbox for all of them. */
function GroupLine({ group, place, decisions, opening, onDecide }: LineProps) {
  const { key, title, rows, total } = group;
  const masked = rows.filter((row) => isMasked(group, row, decisions)).length;
  const places = rows.reduce((sum, { count }) => sum + count, 0);
  const isOpen = opening.isOpen(key);
  const isFixed = rows[0]?.decision === undefined;
  return (
    <div
      role="row"
      data-line={place.index}
      aria-rowindex={place.index + 1}
      aria-level={1}
      aria-expanded={isOpen}
      tabIndex={isFixed ? place.tabIndex : -1}
      style={{ top: place.top, height: place.height }}
      className={`${LINE} bg-surface`}
    >
      <div role="gridcell" className="flex w-4 shrink-0 justify-center">
        {!isFixed && (
          <Checkbox
            aria-label={`Mask ${rows.length < total ? 'found' : 'all'}: ${title}`}
            tabIndex={place.tabIndex}
            checked={masked === rows.length}
            indeterminate={masked > 0 && masked < rows.length}
            onChange={(mask) => onDecide(group, rows, mask ? 'mask' : 'keep')}
          />
        )}
      </div>
      <div role="gridcell" className="min-w-0 flex-1">
        <button
          type="button"
          tabIndex={-1}
          onClick={() => opening.setOpen(key, !isOpen)}
          className="flex h-6 max-w-full min-w-0 items-center gap-1.5 text-left"
        >
          <span aria-hidden="true" className={`text-muted ${isOpen ? 'rotate-90' : ''}`}>
            ▸
          </span>
          <span className="truncate font-medium">{title}</span>
        </button>
      </div>
      <div role="gridcell" className="tabular shrink-0 text-muted">
        {rows.length < total ? `${formatCount(rows.length)} of ${countOf(total, 'value')}` : countOf(total, 'value')}
        {places > rows.length && ` in ${countOf(places, 'place')}`}
      </div>
    </div>
  );
}

/** Places of a value that are listed, and characters of it. */
const PLACES_SHOWN = 3;
const VALUE_CHARS = 300;

/** One value and where it is. */
function ValueLine({ group, row, place, decisions, onDecide, onLook }: LineProps & { readonly row: FindingRow }) {
  const { label, length, rank, places, count, decision } = row;
  const value = visibleText(row.value.slice(0, VALUE_CHARS));
  const [first] = places;
  const path = visibleText(first?.path ?? '');
  const framed = places.filter(({ seq }) => seq > 0).slice(0, PLACES_SHOWN);
  const more = count - Math.max(1, framed.length);
  return (
    <div
      role="row"
      data-line={place.index}
      aria-rowindex={place.index + 1}
      aria-level={2}
      tabIndex={decision === undefined && framed.length === 0 ? place.tabIndex : -1}
      style={{ top: place.top, height: place.height }}
      className={`${LINE} narrow:flex-wrap narrow:content-center narrow:gap-y-0`}
    >
      <div role="gridcell" className="ml-5 flex w-4 shrink-0 justify-center">
        {decision !== undefined && (
          <Checkbox
            aria-label={`Mask ${label} ${value}`}
            tabIndex={place.tabIndex}
            checked={isMasked(group, row, decisions)}
            onChange={(mask) => onDecide(group, [row], mask ? 'mask' : 'keep')}
          />
        )}
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 items-baseline gap-2">
        <bdi className="truncate font-mono text-wire" title={value}>
          {value}
        </bdi>
        {length > 0 && <span className="shrink-0 text-small text-muted">{countOf(length, 'character')}</span>}
        {rank !== undefined && rank !== 'certain' && <span className="shrink-0 text-small text-muted">{rank}</span>}
      </div>
      <div
        role="gridcell"
        className="flex w-1/2 min-w-0 items-center gap-1.5 narrow:ml-11 narrow:w-full"
      >
        {framed.map(({ seq }, at) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a value may be in a frame twice
            key={at}
            type="button"
            data-place
            tabIndex={place.tabIndex}
            title="Look at this message"
            onClick={() => onLook(seq)}
            className="tabular h-6 min-w-6 shrink-0 text-accent underline"
          >
            #{seq}
          </button>
        ))}
        {more > 0 && <span className="tabular shrink-0 text-small text-muted">+{formatCount(more)}</span>}
        <bdi className="truncate font-mono text-wire text-muted" title={path}>
          {path}
        </bdi>
      </div>
    </div>
  );
}
