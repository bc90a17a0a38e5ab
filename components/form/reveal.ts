import type { Path } from '@/lib/schema/document';
import { focusField } from './focus-field';

/** Opens the groups around a field and moves the focus there. */
export class Reveal {
  readonly #groups = new Set<{ readonly path: Path; readonly open: () => void }>();
  #wanted: Path | undefined;

  /** Has `open` called whenever a field within `path` is to be shown. Returns how to end that. */
  within(path: Path, open: () => void): () => void {
    const group = { path, open };
    this.#groups.add(group);
    // Groups within groups come to the page one after the other.
    if (this.#wanted !== undefined && isWithin(this.#wanted, path)) open();
    return () => this.#groups.delete(group);
  }

  show(path: Path): void {
    this.#wanted = path;
    for (const group of [...this.#groups]) if (isWithin(path, group.path)) group.open();
    focusField(path, () => {
      this.#wanted = undefined;
    });
  }
}

function isWithin(path: Path, group: Path): boolean {
  return group.length <= path.length && group.every((key, index) => key === path[index]);
}
