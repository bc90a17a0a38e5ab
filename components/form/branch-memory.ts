import type { Path } from '@/lib/schema/document';
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
  readonly #unions = new WeakMap<View, Map<string, Remembered>>();
  readonly #places = new Map<string, string>();

  /** Counts changes of the document that did not come from the form. */
  get generation(): number {
    return this.#generation;
  }

  /** The document was changed from outside: its values decide anew which branches are shown. */
  renew(): void {
    this.#generation += 1;
    this.#places.clear();
  }

  /** The branch shown at a path, if one was picked or found since the document last changed from outside. */
  chosen(view: View<'union'>, path: Path): number | undefined {
    const found = this.#unions.get(view)?.get(pathKey(path));
    return found?.generation === this.#generation ? found.branch : undefined;
  }

  /** Remembers the branch that is shown. */
  choose(view: View<'union'>, path: Path, branch: number): void {
    const union = this.#at(view, path);
    union.branch = branch;
    union.generation = this.#generation;
    this.#places.set(pathKey(path), view.branches[branch]!.at);
  }

  /** Keeps what a branch holds while another is shown. */
  keep(view: View<'union'>, path: Path, branch: number, value: unknown): void {
    this.#at(view, path).drafts.set(branch, value);
  }

  /** What a branch held when another was picked; undefined for nothing. */
  kept(view: View<'union'>, path: Path, branch: number): unknown {
    return this.#unions.get(view)?.get(pathKey(path))?.drafts.get(branch);
  }

  /** Where in the schema the shown branches stand (`anyOf/1`), by path of the value. */
  get places(): ReadonlyMap<string, string> {
    return this.#places;
  }

  #at(view: View, path: Path): Remembered {
    const unions = this.#unions.get(view) ?? new Map<string, Remembered>();
    this.#unions.set(view, unions);
    const key = pathKey(path);
    const found = unions.get(key) ?? { branch: 0, generation: -1, drafts: new Map() };
    unions.set(key, found);
    return found;
  }
}
