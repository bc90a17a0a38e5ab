import type { Path } from '@/lib/schema/document';
import { focusField } from './focus-field';

/** Opens the groups around a field and moves the focus there. */
export class Reveal {
  readonly #groups = new Set<{ readonly covers: (path: Path) => boolean; readonly open: () => void }>();
  #wanted: Path | undefined;

  /** Has `open` called whenever a field within `path`, or within one of these keys there, is to be shown. Returns how to end that. */
  within(path: Path, open: () => void, keys?: readonly (string | number)[]): () => void {
    const covers = (wanted: Path) =>
      isWithin(wanted, path) &&
      (keys === undefined || (wanted.length > path.length && keys.includes(wanted[path.length]!)));
    const group = { covers, open };
    this.#groups.add(group);
    // Groups within groups come to the page one after the other.
    if (this.#wanted !== undefined && covers(this.#wanted)) open();
    return () => this.#groups.delete(group);
  }

  show(path: Path): void {
    this.#wanted = path;
    for (const group of [...this.#groups]) if (group.covers(path)) group.open();
    focusField(path, () => {
      if (this.#wanted === path) this.#wanted = undefined;
    });
  }
}

function isWithin(path: Path, group: Path): boolean {
  return group.length <= path.length && group.every((key, index) => key === path[index]);
}
