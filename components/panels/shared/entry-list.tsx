import {
  type ComponentProps,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Badge } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { forgetFocus } from '@/components/ui/focus';
import { Icon, type IconName } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { Spinner } from '@/components/ui/notices';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { mayShowIcon, ServerIcon } from '@/components/untrusted/server-icon';
import { useDraft } from '@/lib/hooks/drafts';
import { useLogState } from '@/lib/hooks/log';
import type { JsonObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { type EntryText, HEADING_UNITS, layOut, placeEntries, UNIT } from './entry-rows';

interface EntryListProps {
  readonly log: Log;
  /** Plural name of the entries: `tools`. */
  readonly what: string;
  /** Under which the search is kept; `what` by default. */
  readonly id?: string;
  readonly items: readonly CatalogueItem[];
  readonly selected: string | undefined;
  /** Shown beside the search. */
  readonly aside?: ReactNode;
  readonly onSelect: (key: string) => void;
  /** Called when the heading of a group is pressed, with the key of its first entry. */
  readonly onGroup?: (first: string) => void;
  /** Called on Enter or a click. Arrow keys only select. */
  readonly onOpen?: (key: string) => void;
}

/** A searchable virtual list. Arrow keys change the selection, even while the search box has the focus. */
export function EntryList(props: EntryListProps) {
  const { log, what, id: keptAs = what, items, selected, aside, onSelect, onGroup = onSelect, onOpen } = props;
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const [search, setSearch] = useDraft(`search ${keptAs} ${server}`, '');
  const found = useMemo(() => searchItems(items, search), [items, search]);
  const index = found.findIndex((item) => item.key === selected);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const columns = useColumns(list);
  const texts = useMemo(() => found.map((item) => textOf(item, columns)), [found, columns]);
  const groups = useMemo(() => groupsOf(items, found), [items, found]);
  const units = useMemo(
    () =>
      placeEntries(
        texts.map(({ name, detail }) => name.length + (detail ? 1 : 0)),
        (entry) => groups.filter(({ first }) => first === entry).length,
      ),
    [texts, groups],
  );
  /** Units that headings cover above an entry, and above and below it. */
  const above = groups.filter(({ first }) => first <= index).length * HEADING_UNITS;
  const covered = groups.length * HEADING_UNITS;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOpenKey(event) && onOpen !== undefined && index >= 0) {
      event.preventDefault();
      onOpen(found[index]!.key);
      return;
    }
    // In the search box these keys move the caret.
    if (event.target instanceof HTMLInputElement && (event.key === 'Home' || event.key === 'End')) return;
    const next = stepSelection(event.key, index, found.length);
    if (next === undefined) return;
    event.preventDefault();
    forgetFocus();
    onSelect(found[next]!.key);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the box and the list
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <div className="flex items-center gap-2 p-2">
        <TextInput
          type="search"
          aria-label={`Search ${what}`}
          aria-controls={id}
          placeholder={keptAs === what ? `Search ${what}` : 'Search…'}
          value={search}
          onChange={setSearch}
        />
        {(search !== '' || groups.length === 0) && (
          <span className="tabular shrink-0 text-small text-muted">
            {search === '' ? countText(items) : `${countText(found)} of ${countText(items)}`}
          </span>
        )}
        {aside}
      </div>
      <VirtualRows
        id={id}
        role="listbox"
        label={what}
        activeDescendant={index < 0 ? undefined : `${id}-${index}`}
        ref={list}
        count={units.count}
        rowHeight={UNIT}
        reveal={index < 0 ? undefined : Math.max(0, units.startOf(index) - above)}
        revealRows={units.sizeOf(index) + covered}
        over={
          groups.length > 0 && (
            <GroupHeadings
              groups={groups}
              top={(at) => units.headings[at]! * UNIT}
              selected={items.find(({ key }) => key === selected)?.group}
              onPress={(key) => {
                setSearch('');
                onGroup(key);
              }}
            />
          )
        }
        className="min-h-0 flex-1"
        render={(unit) => {
          const at = units.startingAt(unit);
          if (at === undefined) return null;
          return (
            <Option
              id={`${id}-${at}`}
              item={found[at]!}
              text={texts[at]!}
              height={units.sizeOf(at) * UNIT}
              position={at}
              count={found.length}
              selected={at === index}
              onPress={(key) => {
                onSelect(key);
                onOpen?.(key);
              }}
            />
          );
        }}
      />
    </div>
  );
}

/** Entries of a list with the same group. */
interface Group {
  readonly title: string;
  /** Index of its first entry that is found, or of the entry after it. */
  readonly first: number;
  /** Key of its first entry. */
  readonly key: string;
  /** How many are found. */
  readonly count: string;
}

function groupsOf(items: readonly CatalogueItem[], found: readonly CatalogueItem[]): readonly Group[] {
  const starts = items.filter(({ group }, at) => group !== undefined && group !== items[at - 1]?.group);
  let first = 0;
  return starts.map(({ group: title, key }) => {
    const own = found.filter(({ group }) => group === title);
    first += own.length;
    return { title: title!, first: first - own.length, key, count: countText(own) };
  });
}

/**
 * The headings of the groups. All stay in view: those above at the top, the others at the bottom. A click goes to the
 * group, and ends a search.
 */
function GroupHeadings({
  groups,
  top,
  selected,
  onPress,
}: {
  readonly groups: readonly Group[];
  /** Returns where a heading is, in px. */
  readonly top: (group: number) => number;
  /** The group of the selected entry. */
  readonly selected: string | undefined;
  /** Called with the key of the first entry of a group. */
  readonly onPress: (first: string) => void;
}) {
  const height = HEADING_UNITS * UNIT;
  return (
    <div role="presentation" className="pointer-events-none absolute inset-0 z-1">
      {groups.map(({ title, key, count }, at) => {
        // Below the group before, which has a heading as well. A margin would limit how far the heading sticks.
        const gap = top(at) - (at === 0 ? 0 : top(at - 1) + height);
        return (
          <Fragment key={title}>
            <div style={{ height: gap }} />
            {/* biome-ignore lint/a11y/noStaticElementInteractions: keys lead to each group, arrows to every entry */}
            <div
              role="presentation"
              data-group={title}
              data-current={title === selected || undefined}
              onClick={() => onPress(key)}
              style={{ height, top: at * height, bottom: (groups.length - 1 - at) * height }}
              className="pointer-events-auto sticky flex cursor-pointer items-center justify-between bg-bg px-2 text-small font-medium text-muted hover:text-text data-current:text-text"
            >
              {title}
              <span className="tabular font-normal">{count}</span>
            </div>
          </Fragment>
        );
      })}
    </div>
  );
}

function countText(items: readonly CatalogueItem[]): string {
  return formatCount(items.filter(({ isExtra }) => !isExtra).length);
}

/** Width of a character of a name, and of the space beside it, in px. */
const CHARACTER = 7.25;
const PADDING = 16;
/** Columns that a badge takes. */
const BADGE_COLUMNS = 10;
/** Columns that an icon takes, with the space after it. */
const ICON_COLUMNS = 4;
/** Columns before the list is measured. */
const COLUMNS = 30;

/** Returns how many characters of a name fit on a line. */
function useColumns(list: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(COLUMNS);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => setColumns(Math.max(1, Math.floor((element.clientWidth - PADDING) / CHARACTER)));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [list]);
  return columns;
}

/** Longest name and detail to draw, in characters. */
const MOST_CHARACTERS = 200;

function textOf(item: CatalogueItem, columns: number): EntryText {
  const { name, detail, problem, attention, mark, icons, view, isBusy } = item;
  const badges = [problem, attention, mark].filter((badge) => badge !== undefined).length * BADGE_COLUMNS;
  const shown = visibleText(name.slice(0, MOST_CHARACTERS)) || '(no name)';
  return layOut(
    shown,
    detail && visibleText(detail.slice(0, MOST_CHARACTERS)),
    Math.max(1, columns - badges - (mayShowIcon(icons) || isBusy ? ICON_COLUMNS : 0) - (view ? ICON_COLUMNS : 0)),
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: CatalogueItem;
  readonly text: EntryText;
  /** In px. */
  readonly height: number;
  readonly position: number;
  readonly count: number;
  readonly selected: boolean;
  readonly onPress: (key: string) => void;
}

function Option({ id, item, text, height, position, count, selected, onPress }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={position + 1}
      title={visibleText([item.name, item.detail].filter(Boolean).join('\n').slice(0, 500))}
      style={{ height }}
      onClick={() => onPress(item.key)}
      className={classNames(
        'relative flex cursor-pointer items-center gap-2 px-2',
        selected ? 'bg-accent/12 font-medium' : 'hover:bg-text/6',
      )}
    >
      {item.isBusy ? <Spinner /> : <ServerIcon entry={item.icons} size={16} />}
      <span className="min-w-0 flex-1 leading-4">
        <bdi
          className={classNames('line-clamp-2 text-left leading-4 break-words', !item.isProse && 'font-mono text-wire')}
        >
          {text.name[0]}
          <wbr />
          {text.name[1]}
        </bdi>
        {text.detail !== undefined && (
          <bdi className="block truncate text-left text-small text-muted">{text.detail}</bdi>
        )}
      </span>
      {item.view && (
        <span title={item.view.mark} className="shrink-0 text-muted">
          <Icon name={item.view.icon} />
          <span className="sr-only">, {item.view.mark.toLowerCase()}</span>
        </span>
      )}
      {item.attention !== undefined && <Badge tone="accent">{item.attention}</Badge>}
      {item.mark && (
        <Badge tone={item.mark.tone} title={item.mark.title}>
          {item.mark.label}
        </Badge>
      )}
      {item.problem !== undefined && (
        <Badge tone="warn" title={visibleText(item.problem)}>
          ! problem
        </Badge>
      )}
    </div>
  );
}

/** An entry of the list. */
export interface CatalogueItem {
  readonly key: string;
  /** Title of the group that it stands in. Entries of a group follow one another. */
  readonly group?: string;
  /** May be empty. */
  readonly name: string;
  /** The name is a sentence or words of ours, and not a name on the wire. */
  readonly isProse?: boolean;
  /** Its title or URI, shown in muted text below the name if it says more. */
  readonly detail?: string;
  /** More text to search. */
  readonly searchText?: string;
  readonly problem?: string;
  /** A word in a badge that asks for the user's attention. */
  readonly attention?: string;
  /** A badge with something else that is worth knowing about the entry. */
  readonly mark?: {
    readonly label: string;
    readonly title: string;
    readonly tone: ComponentProps<typeof Badge>['tone'];
  };
  /** Its call is in flight. */
  readonly isBusy?: boolean;
  /** A view of its results that a feature has. */
  readonly view?: { readonly icon: IconName; readonly mark: string } | undefined;
  /** The entry with its icons. */
  readonly icons?: JsonObject;
  /** Another page in the list, which the count leaves out. */
  readonly isExtra?: true;
}

/** Returns the items that contain every word of the search, ignoring case. All items for an empty search. */
export function searchItems(items: readonly CatalogueItem[], search: string): readonly CatalogueItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = `${item.name}\n${item.detail ?? ''}\n${item.searchText ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  PageDown: (index, count) => Math.min(index + 10, count - 1),
  PageUp: (index) => Math.max(index - 10, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Returns the index a key moves the selection to. undefined for other keys. `index` -1 means no selection. */
export function stepSelection(key: string, index: number, count: number): number | undefined {
  const step = STEPS[key];
  return step === undefined || count === 0 ? undefined : step(index, count);
}

/** Returns true for Enter without ⌘ or Ctrl, which would send a request. */
export function isOpenKey(pressed: {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
}): boolean {
  return pressed.key === 'Enter' && !pressed.metaKey && !pressed.ctrlKey;
}
