import { CONTROLS, focusWhenRendered } from '@/components/ui/focus';
import type { Path } from '@/lib/json/edit';
import { pathKey } from './field-problems';

/** Frames waited for until a field that is about to open is in the page. */
const FRAMES = 20;

/** Moves the focus to a field's input, once it is there, and brings it into view. Nothing if it does not come. */
export function focusField(path: Path, done?: () => void): void {
  focusWhenRendered(
    () => {
      const field = document.querySelector(`[data-field="${CSS.escape(pathKey(path))}"]`);
      const control = field?.querySelector<HTMLElement>(CONTROLS);
      return field && control ? { control, within: field } : undefined;
    },
    FRAMES,
    done,
  );
}

/** Opens the groups around a field and moves the focus there. */
export class FieldReveal {
  readonly #groups = new Set<{ readonly covers: (path: Path) => boolean; readonly open: () => void }>();
  #wanted: Path | undefined;

  /** Has `open` called whenever a field within `path`, or within one of these keys there, is to be shown. Returns how to end that. */
  onReveal(path: Path, open: () => void, keys?: readonly (string | number)[]): () => void {
    const covers = (wanted: Path) =>
      isWithin(wanted, path) &&
      (keys === undefined || (wanted.length > path.length && keys.includes(wanted[path.length]!)));
    const group = { covers, open };
    this.#groups.add(group);
    // Groups within groups come to the page one after the other.
    if (this.#wanted !== undefined && covers(this.#wanted)) open();
    return () => this.#groups.delete(group);
  }

  revealField(path: Path): void {
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
