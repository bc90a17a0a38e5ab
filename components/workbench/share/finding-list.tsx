import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { TextInput } from '@/components/ui/inputs';
import { NARROW, useMedia } from '@/components/ui/media';
import { moveFocus } from '@/components/ui/page-focus';
import { useRowWindow } from '@/components/ui/virtual-rows';
import {
  decideRows,
  type FindingGroup,
  type FindingLine,
  linesOf,
  type ShareDecisions,
  searchGroups,
} from './finding-groups';
import { GroupLine, type LineActions, ValueLine } from './finding-lines';

/** Up to this many rows, every group is open at first. */
const OPEN_ROWS = 12;
/** Height of a line in px. In a narrow window a row has two lines of text. */
const LINE_HEIGHT = 28;
const NARROW_LINE_HEIGHT = 48;

/** The parts of the list that the user sees. */
export interface FindingView {
  readonly search: string;
  /** Groups that the user opened or closed, by key. */
  readonly open: ReadonlyMap<string, boolean>;
  /** The line to return to. */
  readonly line: number | undefined;
}

export const FIRST_VIEW: FindingView = { search: '', open: new Map(), line: undefined };

/** The values that may be masked: a checkbox per kind, a search, and the single values. */
export function FindingList({
  groups,
  decisions,
  view,
  onView,
  onDecide,
  onLook,
}: {
  readonly groups: readonly FindingGroup[];
  readonly decisions: ShareDecisions;
  readonly view: FindingView;
  readonly onView: (view: FindingView) => void;
  readonly onDecide: (decisions: ShareDecisions) => void;
  /** Shows a frame. */
  readonly onLook: (seq: number) => void;
}) {
  const { search, open } = view;
  const found = useMemo(() => searchGroups(groups, search), [groups, search]);
  const isOpen = useMemo(() => {
    const isShort = groups.reduce((rows, { total }) => rows + total, 0) <= OPEN_ROWS;
    return (key: string) => open.get(key) ?? (search !== '' || isShort);
  }, [groups, search, open]);
  const lines = useMemo(() => linesOf(found, isOpen), [found, isOpen]);
  const list = useRef<HTMLDivElement>(null);
  const searchFor = (text: string) => {
    const isFirst = (text === '') !== (search === '');
    onView({ search: text, open: isFirst ? FIRST_VIEW.open : open, line: undefined });
  };
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search findings"
        placeholder="Search findings"
        value={search}
        onChange={searchFor}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') moveFocus(list.current?.querySelector<HTMLElement>(TAB_STOP));
          // The second Esc closes the dialog.
          else if (event.key !== 'Escape' || search === '') return;
          else searchFor('');
          event.preventDefault();
        }}
        className="shrink-0"
      />
      {lines.length === 0 ? (
        <div className={`${LIST} flex items-center justify-center`}>
          <p className="text-muted">No finding matches the search</p>
        </div>
      ) : (
        <FindingGrid
          // Another search starts at the top.
          key={search}
          {...{ list, lines, decisions, isOpen }}
          first={view.line}
          onOpen={(key, opened) => onView({ ...view, open: new Map(open).set(key, opened) })}
          onDecide={(group, rows, decision) => onDecide(decideRows(decisions, group, rows, decision))}
          onLook={(seq, line) => {
            onView({ ...view, line });
            onLook(seq);
          }}
        />
      )}
    </>
  );
}

/** Takes the place of the list and its search until the findings are known. */
export function FindingListRoom() {
  return (
    <>
      <div className="h-7 shrink-0" />
      <div className={`${LIST} flex items-center justify-center`}>
        <p className="text-muted">Values that look secret will appear here</p>
      </div>
    </>
  );
}

/** In a low window, the fields below the list stay in view. */
const LIST = 'h-[min(34vh,100vh-35rem)] min-h-28 shrink-0 rounded border border-line';

/** Selects what takes the focus by Tab. */
const TAB_STOP = '[tabindex="0"]';
/** Selects what takes the focus in a line that the arrow keys reach. */
const CONTROLS = 'input, [data-place]';

interface GridProps extends LineActions {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly lines: readonly FindingLine[];
  /** The line that takes the focus first. */
  readonly first: number | undefined;
}

/** The lines in view. One line is reached by Tab, the others by arrow keys. */
function FindingGrid(props: GridProps) {
  const { list, lines, first } = props;
  const rowHeight = useMedia(NARROW) ? NARROW_LINE_HEIGHT : LINE_HEIGHT;
  const { window: shown, reveal, viewport, onScroll } = useRowWindow(list, { count: lines.length, rowHeight });
  const [chosen, setChosen] = useState(first ?? 0);
  const active = Math.min(chosen, lines.length - 1);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const line = list.current?.querySelector<HTMLElement>(`[data-line="${active}"]`);
    moveFocus(line?.querySelector<HTMLElement>(CONTROLS) ?? line, { preventScroll: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list appears
  useLayoutEffect(() => {
    if (first !== undefined) reveal(active);
  }, []);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(lines.length - 1, to));
    isMoving.current = true;
    setChosen(next);
    reveal(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
    const to = keyTarget(event.key, props, active, page);
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
      className={`${LIST} overflow-x-hidden overflow-y-auto [overflow-anchor:none]`}
    >
      <div role="presentation" className="relative" style={{ height: shown.height }}>
        {indexes.map((index) => {
          const top = shown.top + (index - shown.first) * rowHeight;
          const isActive = index === active;
          const place = {
            index,
            top,
            height: rowHeight,
            tabIndex: isActive ? 0 : -1,
            first: isActive && index === first,
          };
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

/** Keys that move to another line, from this one. `page`: lines on a page. */
const STEPS: Readonly<Record<string, (from: number, page: number) => number>> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  PageDown: (from, page) => from + page,
  PageUp: (from, page) => from - page,
  Home: () => 0,
  End: () => Number.POSITIVE_INFINITY,
};

/** Returns the line that a key leads to; undefined for other keys. Opens and closes groups. */
function keyTarget(key: string, { lines, isOpen, onOpen }: GridProps, from: number, page: number): number | undefined {
  const { group, row } = lines[from]!;
  if (key === 'ArrowRight') {
    if (isOpen(group.key)) return row ? from : from + 1;
    onOpen(group.key, true);
    return from;
  }
  if (key === 'ArrowLeft') {
    if (!row) onOpen(group.key, false);
    return lines.findIndex((line) => line.group === group);
  }
  return STEPS[key]?.(from, page);
}
