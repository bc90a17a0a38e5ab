import type { Path } from '@/lib/schema/document';
import type { Edit } from '@/lib/schema/json-edit';
import type { View } from '@/lib/schema/shape';
import { pathKey } from './problem-board';

interface Remembered {
  branch: number;
  /** Counts changes from outside the form when it was chosen: after one the value decides anew. */
  generation: number;
  readonly drafts: Map<number, unknown>;
}

/** The picks of a form's unions: which branch is shown where, and what was typed into the others. */
export class BranchMemory {
  #generation = 0;
  /** By path of the value; several unions can share one, since a branch may be a union. */
  readonly #unions = new Map<string, Map<View, Remembered>>();

  /** Counts changes of the document that did not come from the form. */
  get generation(): number {
    return this.#generation;
  }

  /** The document was changed from outside: its values decide anew which branches are shown. */
  renew(): void {
    this.#generation += 1;
  }

  /** The branch shown at a path, if one was picked or found since the document last changed from outside. */
  chosen(view: View<'union'>, path: Path): number | undefined {
    const found = this.#unions.get(pathKey(path))?.get(view);
    return found?.generation === this.#generation ? found.branch : undefined;
  }

  /** Remembers the branch that is shown. */
  choose(view: View<'union'>, path: Path, branch: number): void {
    const union = this.#at(view, path);
    union.branch = branch;
    union.generation = this.#generation;
  }

  /** Keeps what a branch holds while another is shown. */
  keep(view: View<'union'>, path: Path, branch: number, value: unknown): void {
    this.#at(view, path).drafts.set(branch, value);
  }

  /** What a branch held when another was picked; undefined for nothing. */
  kept(view: View<'union'>, path: Path, branch: number): unknown {
    return this.#unions.get(pathKey(path))?.get(view)?.drafts.get(branch);
  }

  /** An edit by the form: what was remembered of items and entries that get another path is not of those that come there. */
  follow(edit: Edit): void {
    const { path } = edit;
    if (edit.type === 'rename') for (const name of [edit.from, edit.to]) this.#forget([...path, name]);
    if (edit.type === 'move') this.#forget(path);
    if (edit.type === 'remove' && typeof path.at(-1) === 'number') this.#forget(path.slice(0, -1));
  }

  /** The value at a path was replaced as a whole: it decides anew. What was typed into other branches stays. */
  reconsider(path: Path): void {
    for (const key of this.#from(path)) {
      for (const union of this.#unions.get(key)!.values()) union.generation = -1;
    }
  }

  #forget(path: Path): void {
    for (const key of this.#from(path)) this.#unions.delete(key);
  }

  /** The keys of this path and of all below it. */
  #from(path: Path): string[] {
    const whole = pathKey(path);
    const below = path.length === 0 ? '[' : `${whole.slice(0, -1)},`;
    return [...this.#unions.keys()].filter((key) => key === whole || key.startsWith(below));
  }

  #at(view: View, path: Path): Remembered {
    const key = pathKey(path);
    const unions = this.#unions.get(key) ?? new Map<View, Remembered>();
    this.#unions.set(key, unions);
    const found = unions.get(view) ?? { branch: 0, generation: -1, drafts: new Map() };
    unions.set(view, found);
    return found;
  }
}
