/** Fields drawn in one go: a little more than a screen holds. */
const AT_ONCE = 30;

/** How far around what is seen parts are drawn, so that scrolling and Tab find them there. */
const AROUND = '100% 0%';

interface Waiting {
  readonly rows: number;
  readonly draw: () => void;
}

/**
 * Which parts of a form are drawn: the first screenful with the form, the others when they come near to what is seen. A real form
 * may have thousands of open fields, which would take seconds to draw.
 */
export class PartVisibility {
  #admitted = 0;
  #observer: IntersectionObserver | undefined;
  readonly #waiting = new Map<Element, Waiting>();

  /** Whether a part of so many fields is drawn with what is being drawn right now. */
  admitPart(rows: number): boolean {
    if (this.#admitted === 0) setTimeout(() => (this.#admitted = 0), 0);
    if (this.#admitted >= AT_ONCE) return false;
    this.#admitted += rows;
    return true;
  }

  /** Has `draw` called once `place`, which stands for a part, comes near. Returns how to end that. */
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
      // What is drawn may move the others away: they are looked at again.
      if (left <= 0) this.#observer!.observe(target);
      else if (waiting) {
        left -= waiting.rows;
        waiting.draw();
      }
    }
  }
}

/** Twice the pixels from the middle of what is seen. */
function distance({ boundingClientRect: place, rootBounds: seen }: IntersectionObserverEntry): number {
  // Bounds are kept from pages only that watch another's.
  return Math.abs(place.top + place.bottom - seen!.top - seen!.bottom);
}

/** What scrolls an element; null for the page. */
function scrollerOf(element: Element): Element | null {
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
