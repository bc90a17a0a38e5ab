/** What gets the focus, and what is brought into sight with it. */
export interface Focused {
  readonly control: HTMLElement;
  readonly within: Element;
}

/** Counts what was asked for: only what was asked for last is what the person wants now. */
let asked = 0;

/**
 * Moves the focus to what `find` finds, within so many frames, and brings it into sight; then calls `done`, and also where nothing came, or
 * the focus was asked for elsewhere, which ends the wait. `find`: undefined as long as it may come; false if it never will.
 */
export function focusWhenThere(find: () => Focused | false | undefined, frames: number, done = (): void => {}): void {
  const mine = ++asked;
  let left = frames;
  const look = (): void => {
    if (mine !== asked) {
      done();
      return;
    }
    const found = find();
    if (found === undefined && left-- > 0) {
      requestAnimationFrame(look);
      return;
    }
    if (found) {
      // By itself it would come to the middle, and what stands above is to be read.
      found.control.focus({ preventScroll: true });
      found.within.scrollIntoView({ block: 'nearest' });
    }
    done();
  };
  requestAnimationFrame(look);
}
