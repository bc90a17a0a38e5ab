/** What a list entry is found by, and shown with. */
export interface CatalogueItem {
  readonly key: string;
  /** First line: its name. '' is shown as such. */
  readonly name: string;
  /** A word or two in muted text after the name. */
  readonly detail?: string;
  /** Further text that the search looks in. */
  readonly more?: string;
  readonly problem?: string;
  /** A word at the end of its line that calls for a person. */
  readonly calls?: string;
}

/** The items in which every word of the search occurs, in name, detail or further text, whatever the case; all for none. */
export function searchItems(items: readonly CatalogueItem[], search: string): readonly CatalogueItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = `${item.name}\n${item.detail ?? ''}\n${item.more ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  PageDown: (index, count) => Math.min(index + 10, count - 1),
  PageUp: (index) => Math.max(index - 10, 0),
};

/** Where a key moves the selection in a list of `count`; undefined for keys that don't. `index` -1 is no selection. */
export function stepSelection(key: string, index: number, count: number): number | undefined {
  const step = STEPS[key];
  return step === undefined || count === 0 ? undefined : step(index, count);
}

/** Whether a key press opens the selected entry. With ⌘ or Ctrl, Enter sends, wherever the focus is. */
export function isOpening(pressed: {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
}): boolean {
  return pressed.key === 'Enter' && !pressed.metaKey && !pressed.ctrlKey;
}
