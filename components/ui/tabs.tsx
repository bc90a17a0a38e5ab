import type { KeyboardEvent, ReactNode } from 'react';
import { moveFocus } from './page-focus';

interface TabItem<Id extends string> {
  readonly id: Id;
  readonly title: string;
}

interface TabsProps<Id extends string> {
  /** Unique on the page. The `TabPanel` with the same `tabs` belongs to it. */
  readonly id: string;
  /** Names the tab list. */
  readonly label: string;
  readonly items: readonly TabItem<Id>[];
  /** Undefined while something else replaces the panel. */
  readonly selected: Id | undefined;
  readonly onSelect: (id: Id) => void;
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  ArrowUp: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A tab list with arrow keys. A {@link TabPanel} with the same id renders the selected tab. */
export function Tabs<Id extends string>({ id, label, items, selected, onSelect }: TabsProps<Id>) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const at = items.findIndex((item) => item.id === selected);
    const target = items[step(Math.max(0, at), items.length)];
    if (!target) return;
    onSelect(target.id);
    moveFocus(document.getElementById(`${id}-tab-${target.id}`));
  };
  return (
    <div role="tablist" aria-label={label} onKeyDown={onKeyDown} className="flex items-stretch gap-3">
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          id={`${id}-tab-${item.id}`}
          aria-selected={item.id === selected}
          aria-controls={item.id === selected ? tabPanelId(id) : undefined}
          tabIndex={item.id === (selected ?? items[0]?.id) ? 0 : -1}
          onClick={() => onSelect(item.id)}
          className="flex h-7 min-w-0 items-center gap-1.5 border-b-2 border-transparent text-left text-muted hover:text-text aria-selected:border-accent aria-selected:text-text"
        >
          <span className="truncate">{item.title}</span>
        </button>
      ))}
    </div>
  );
}

/** Returns the element id of a tab list's panel, which can take the focus. */
export function tabPanelId(tabs: string): string {
  return `${tabs}-panel`;
}

/** The panel that shows a tab list's selected tab. */
export function TabPanel({
  tabs,
  selected,
  className,
  children,
}: {
  readonly tabs: string;
  readonly selected: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <div
      role="tabpanel"
      id={tabPanelId(tabs)}
      aria-labelledby={`${tabs}-tab-${selected}`}
      tabIndex={-1}
      className={className}
    >
      {children}
    </div>
  );
}
