import { type Edit, isRecord, type JsonPath } from '@/lib/json/edit';
import { schemaOfName } from '@/lib/schema/objects';
import { bestBranch } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { pathKey } from './form-state';

interface Remembered {
  branch: number;
  /** The generation in which the branch was chosen. In a later one, the branch is chosen from the value again. */
  generation: number;
  readonly drafts: Map<number, unknown>;
}

/** Remembers which branch of each union is shown, and what was typed into the others. */
export class BranchMemory {
  #generation = 0;
  /** By path of the value. Several unions can share a path, since a branch may be a union. */
  readonly #unions = new Map<string, Map<View, Remembered>>();

  /** Counts changes of the document that did not come from the form. */
  get generation(): number {
    return this.#generation;
  }

  /** Call after a change from outside the form. Branches are chosen from the values again. */
  resetChoices(): void {
    this.#generation += 1;
  }

  /** Returns the branch shown at a path; undefined if none was chosen since the last change from outside. */
  chosenBranch(view: View<'union'>, path: JsonPath): number | undefined {
    const found = this.#unions.get(pathKey(path))?.get(view);
    return found?.generation === this.#generation ? found.branch : undefined;
  }

  /** Remembers the branch that is shown. */
  chooseBranch(view: View<'union'>, path: JsonPath, branch: number): void {
    const union = this.#at(view, path);
    union.branch = branch;
    union.generation = this.#generation;
  }

  /** Keeps a branch's value while another is shown. */
  keepDraft(view: View<'union'>, path: JsonPath, branch: number, value: unknown): void {
    this.#at(view, path).drafts.set(branch, value);
  }

  /** Returns the value that a branch had when the user picked another branch. */
  keptDraft(view: View<'union'>, path: JsonPath, branch: number): unknown {
    return this.#unions.get(pathKey(path))?.get(view)?.drafts.get(branch);
  }

  /** Call for each edit of the form: drops what is remembered for paths that now hold another value. */
  followEdit(edit: Edit): void {
    const { path } = edit;
    if (edit.type === 'rename') for (const name of [edit.from, edit.to]) this.#forget([...path, name]);
    if (edit.type === 'move') this.#forget(path);
    if (edit.type === 'remove' && typeof path.at(-1) === 'number') this.#forget(path.slice(0, -1));
  }

  /** Call after a value was replaced. Branches are chosen from the new value; drafts stay. */
  resetChoicesBelow(path: JsonPath): void {
    for (const key of this.#from(path)) {
      for (const union of this.#unions.get(key)!.values()) union.generation = -1;
    }
  }

  #forget(path: JsonPath): void {
    for (const key of this.#from(path)) this.#unions.delete(key);
  }

  /** Returns the keys of this path and all below it. */
  #from(path: JsonPath): string[] {
    const whole = pathKey(path);
    const below = path.length === 0 ? '[' : `${whole.slice(0, -1)},`;
    return [...this.#unions.keys()].filter((key) => key === whole || key.startsWith(below));
  }

  #at(view: View, path: JsonPath): Remembered {
    const key = pathKey(path);
    const unions = this.#unions.get(key) ?? new Map<View, Remembered>();
    this.#unions.set(key, unions);
    const found = unions.get(view) ?? { branch: 0, generation: -1, drafts: new Map() };
    unions.set(view, found);
    return found;
  }
}

/** Returns the shown branch of a union: the chosen one, or the best fit for the value, which is then remembered. */
export function shownBranch(
  union: View<'union'>,
  path: JsonPath,
  value: unknown,
  root: unknown,
  memory: BranchMemory,
): number {
  const chosen = memory.chosenBranch(union, path);
  if (chosen !== undefined) return chosen;
  const branch = bestBranch(union, value === undefined ? union.default?.value : value, root);
  memory.chooseBranch(union, path, branch);
  return branch;
}

/**
 * Chooses a branch for every union of a document, including unrendered ones. Returns the branches' places in the schema
 * (`anyOf/1`) by value path, so that the checker reports the errors of these branches. For a union inside a union, both
 * places are joined: `oneOf/0/anyOf/1`.
 */
export function chooseBranches(schema: unknown, value: unknown, memory: BranchMemory): Map<string, string> {
  const places = new Map<string, string>();
  const pending: { readonly node: View; readonly value: unknown; readonly path: JsonPath }[] = [
    { node: viewOf(schema, schema), value, path: [] },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    let { node } = next;
    // A union may be a branch of another. Limit the levels: it may contain itself.
    for (let levels = 0; node.kind === 'union' && levels < 8; levels++) {
      const branch = node.branches[shownBranch(node, path, value, schema, memory)]!;
      const key = pathKey(path);
      const outer = places.get(key);
      places.set(key, outer === undefined ? branch.at : `${outer}/${branch.at}`);
      node = viewOf(branch.schema, schema);
    }
    const below = (key: string | number, inner: unknown, item: unknown) => {
      const node = viewOf(inner, schema);
      const more = node.kind === 'union' || (typeof item === 'object' && item !== null);
      if (more) pending.push({ node, value: item, path: [...path, key] });
    };
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (node.kind === 'array') below(index, node.items, item);
        if (node.kind === 'tuple') below(index, index < node.items.length ? node.items[index] : node.rest, item);
      }
    } else if (isRecord(value) && (node.kind === 'object' || node.kind === 'map')) {
      const named = new Map(node.kind === 'object' ? node.properties.map(({ name, schema }) => [name, schema]) : []);
      const { others } = node;
      for (const [name, item] of Object.entries(value)) {
        below(name, named.has(name) ? named.get(name) : schemaOfName(others, name), item);
      }
    }
  }
  return places;
}
