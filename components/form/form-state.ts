import { CONTROLS, focusWhenRendered, INPUTS } from '@/components/ui/focus';
import type { JsonPath } from '@/lib/json/edit';

/** A problem with the value at a path, in a short sentence. */
export interface FieldProblem {
  readonly path: JsonPath;
  readonly text: string;
  /** `missing`: a required property is not set. `server`: the server complained about the last call. */
  readonly source: 'schema' | 'missing' | 'server';
}

/** Returns a path as a map key. */
export function pathKey(path: JsonPath): string {
  return JSON.stringify(path);
}

const NONE: readonly FieldProblem[] = [];

/**
 * The problems of one form by path. A problem is shown once its field was left or `showAll` was called; the server's
 * complaints at once. It is outside React, so that only the fields concerned render again.
 */
export class FieldProblems {
  #found: readonly FieldProblem[] = NONE;
  #shown: readonly FieldProblem[] = NONE;
  #at = new Map<string, readonly FieldProblem[]>();
  #under = new Map<string, number>();
  readonly #left = new Set<string>();
  #showsAll = false;
  readonly #listeners = new Set<() => void>();
  #checked = false;

  /** True once the document was checked against its schema. */
  get checked(): boolean {
    return this.#checked;
  }

  /** The problems that are shown: the same array until they change. */
  get shown(): readonly FieldProblem[] {
    return this.#shown;
  }

  /** Returns true if the problems of a field are shown. */
  isShown(key: string): boolean {
    return this.#showsAll || this.#left.has(key);
  }

  /** Returns the shown problems of one field: the same array while they are equal. */
  problemsAt(key: string): readonly FieldProblem[] {
    return this.#at.get(key) ?? NONE;
  }

  /** Returns how many shown problems are below a field. */
  countUnder(key: string): number {
    return this.#under.get(key) ?? 0;
  }

  setProblems(problems: readonly FieldProblem[], checked: boolean): void {
    this.#found = problems;
    this.#checked = checked;
    this.#update();
  }

  /** Shows the problems of fields that the user has left. */
  leaveFields(keys: readonly string[]): void {
    for (const key of keys) this.#left.add(key);
    this.#update();
  }

  /** Shows every problem, now and later. */
  showAll(): void {
    this.#showsAll = true;
    this.#update();
  }

  /** Hides all problems until their fields are left again. */
  hideAll(): void {
    this.#showsAll = false;
    this.#left.clear();
    this.#update();
  }

  #update(): void {
    const at = new Map<string, FieldProblem[]>();
    this.#under = new Map();
    this.#shown = this.#found.filter((problem) => {
      const key = pathKey(problem.path);
      if (problem.source !== 'server' && !this.isShown(key)) return false;
      at.set(key, [...(at.get(key) ?? []), problem]);
      for (let length = 0; length < problem.path.length; length++) {
        const above = pathKey(problem.path.slice(0, length));
        this.#under.set(above, (this.#under.get(above) ?? 0) + 1);
      }
      return true;
    });
    for (const [key, found] of at) {
      const before = this.#at.get(key);
      if (before !== undefined && sameTexts(before, found)) at.set(key, before as FieldProblem[]);
    }
    this.#at = at;
    for (const listener of [...this.#listeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

function sameTexts(a: readonly FieldProblem[], b: readonly FieldProblem[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ text, source }, index) => text === b[index]!.text && source === b[index]!.source)
  );
}

/** Animation frames to wait for a field that is about to be rendered. */
const FRAMES = 20;

/**
 * Focuses a field's input once it is rendered, and scrolls to it. `inside`: the first input of a group instead of the
 * button that opens it. Gives up after a while.
 */
export function focusField(path: JsonPath, inside = false, done?: () => void): void {
  focusWhenRendered(
    () => {
      // An answer form may be beside a tool's form with the same fields.
      const within = document.activeElement?.closest('[data-answer]') ?? document;
      const field = within.querySelector(`[data-field="${CSS.escape(pathKey(path))}"]`);
      const control =
        (inside && field?.querySelector<HTMLElement>(INPUTS)) || field?.querySelector<HTMLElement>(CONTROLS);
      return field && control ? { control, within: field } : undefined;
    },
    FRAMES,
    done,
  );
}

/**
 * Returns the keys of the fields that are left when the focus goes from one element to another, innermost first. A
 * plain field is also left for its own buttons.
 */
export function fieldsLeft(from: Element, to: EventTarget | null): readonly string[] {
  const keys: string[] = [];
  for (let field = from.closest<HTMLElement>('[data-field]'); field; ) {
    const stays = to instanceof Node && field.contains(to);
    if (!stays || (field.role !== 'group' && from.matches(INPUTS))) keys.push(field.dataset.field!);
    field = field.parentElement!.closest<HTMLElement>('[data-field]');
  }
  return keys;
}

/** Opens the groups around a field and focuses it. */
export class FieldReveal {
  readonly #groups = new Set<{ readonly covers: (path: JsonPath) => boolean; readonly open: () => void }>();
  #wanted: JsonPath | undefined;

  /**
   * Calls `open` when a field below `path`, or below one of its `keys`, is revealed. Returns a function that stops it.
   */
  onReveal(path: JsonPath, open: () => void, keys?: readonly (string | number)[]): () => void {
    const covers = (wanted: JsonPath) =>
      isWithin(wanted, path) &&
      (keys === undefined || (wanted.length > path.length && keys.includes(wanted[path.length]!)));
    const group = { covers, open };
    this.#groups.add(group);
    // Nested groups are rendered one after the other, so a reveal may still be going on.
    if (this.#wanted !== undefined && covers(this.#wanted)) open();
    return () => this.#groups.delete(group);
  }

  /** `inside`: see {@link focusField}. */
  revealField(path: JsonPath, inside = false): void {
    this.#wanted = path;
    for (const group of [...this.#groups]) if (group.covers(path)) group.open();
    focusField(path, inside, () => {
      if (this.#wanted === path) this.#wanted = undefined;
    });
  }
}

function isWithin(path: JsonPath, group: JsonPath): boolean {
  return group.length <= path.length && group.every((key, index) => key === path[index]);
}

/** Fields rendered at once: a little more than a screenful. */
const AT_ONCE = 30;

/** Parts are rendered within one screen above and below the view, so that scrolling and Tab find them. */
const AROUND = '100% 0%';

interface Waiting {
  readonly rows: number;
  readonly draw: () => void;
}

/**
 * Decides which parts of a form are rendered: the first screenful at once, the others when they come near the view. A
 * real form may have thousands of open fields, which would take seconds to render.
 */
export class PartVisibility {
  #admitted = 0;
  #observer: IntersectionObserver | undefined;
  readonly #waiting = new Map<Element, Waiting>();

  /** True if a part with this many fields may be rendered in the current pass. */
  admitPart(rows: number): boolean {
    if (this.#admitted === 0) setTimeout(() => (this.#admitted = 0), 0);
    if (this.#admitted >= AT_ONCE) return false;
    this.#admitted += rows;
    return true;
  }

  /** Calls `draw` once the placeholder comes near the view. Returns a function that stops watching it. */
  drawWhenNear(place: Element, rows: number, draw: () => void): () => void {
    this.#observer ??= new IntersectionObserver((entries) => this.#drawNear(entries), {
      root: scrollerOf(place),
      rootMargin: AROUND,
    });
    this.#waiting.set(place, { rows, draw });
    this.#observer.observe(place);
    return () => {
      this.#waiting.delete(place);
      this.#observer?.unobserve(place);
    };
  }

  #drawNear(entries: readonly IntersectionObserverEntry[]): void {
    const near = entries.filter(({ isIntersecting }) => isIntersecting).sort((a, b) => distance(a) - distance(b));
    let left = AT_ONCE;
    for (const { target } of near) {
      const waiting = this.#waiting.get(target);
      this.#observer!.unobserve(target);
      // Rendering may push the others away, so watch them again.
      if (left <= 0) this.#observer!.observe(target);
      else if (waiting) {
        left -= waiting.rows;
        waiting.draw();
      }
    }
  }
}

/** Returns twice the distance from the middle of the view, in pixels. */
function distance({ boundingClientRect: place, rootBounds: seen }: IntersectionObserverEntry): number {
  // `rootBounds` is null only for another origin's page.
  return Math.abs(place.top + place.bottom - seen!.top - seen!.bottom);
}

/** Returns the element that scrolls this one; null for the page. */
function scrollerOf(element: Element): Element | null {
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
