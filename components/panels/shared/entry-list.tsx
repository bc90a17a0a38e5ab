import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { TextInput } from '@/components/ui/inputs';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { formatCount } from '@/lib/wire/format';

interface EntryListProps {
  /** Plural name of the entries: `tools`. */
  readonly what: string;
  readonly items: readonly CatalogueItem[];
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** Called on Enter or a click, to move the focus into the entry. Arrow keys keep the focus in the list. */
  readonly onOpen?: () => void;
}

/** Height of a row, in px. */
const ROW_HEIGHT = 24;

/** A searchable virtual list. Arrow keys change the selection, even while the search box has the focus. */
export function EntryList({ what, items, selected, onSelect, onOpen }: EntryListProps) {
  const [search, setSearch] = useState('');
  const found = useMemo(() => searchItems(items, search), [items, search]);
  const index = found.findIndex((item) => item.key === selected);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOpenKey(event) && onOpen !== undefined && index >= 0) {
      event.preventDefault();
      onOpen();
      return;
    }
    const next = stepSelection(event.key, index, found.length);
    if (next === undefined) return;
    event.preventDefault();
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
          placeholder={`Search ${what}`}
          value={search}
          onChange={setSearch}
        />
        <span className="tabular shrink-0 text-small text-muted">
          {search === '' ? formatCount(items.length) : `${formatCount(found.length)} of ${formatCount(items.length)}`}
        </span>
      </div>
      <VirtualRows
        id={id}
        role="listbox"
        label={what}
        activeDescendant={index < 0 ? undefined : `${id}-${index}`}
        count={found.length}
        rowHeight={ROW_HEIGHT}
        reveal={index}
        className="min-h-0 flex-1"
        render={(at) => (
          <Option
            id={`${id}-${at}`}
            item={found[at]!}
            position={at}
            count={found.length}
            selected={at === index}
            onPress={(key) => {
              onSelect(key);
              onOpen?.();
            }}
          />
        )}
      />
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: CatalogueItem;
  readonly position: number;
  readonly count: number;
  readonly selected: boolean;
  readonly onPress: (key: string) => void;
}

function Option({ id, item, position, count, selected, onPress }: OptionProps) {
  const name = visibleText(item.name.slice(0, 200));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={position + 1}
      title={visibleText(item.name.slice(0, 500))}
      onClick={() => onPress(item.key)}
      className={classNames(
        'flex h-full cursor-pointer items-center gap-2 px-2 hover:bg-text/6',
        selected && 'bg-accent/12 font-medium',
      )}
    >
      <bdi className="min-w-0 truncate">{name || '(no name)'}</bdi>
      {item.detail !== undefined && (
        <bdi className="min-w-0 shrink-[1000] truncate text-muted">{visibleText(item.detail.slice(0, 200))}</bdi>
      )}
      <span className="flex-1" />
      {item.attention !== undefined && <Badge tone="accent">{item.attention}</Badge>}
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
  /** May be empty. */
  readonly name: string;
  /** A word or two in muted text after the name. */
  readonly detail?: string;
  /** More text to search. */
  readonly searchText?: string;
  readonly problem?: string;
  /** A word in a badge that asks for the user's attention. */
  readonly attention?: string;
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
