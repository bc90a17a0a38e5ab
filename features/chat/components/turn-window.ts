/** Height in px of a turn that was not drawn yet. */
export const USUAL_HEIGHT = 120;
/** Px drawn beyond each edge, so that fast scrolling shows no gap. */
const OVERSCAN = 800;

/** The turns to draw: [first, last), and the room that the others take, in px. */
export interface TurnWindow {
  readonly first: number;
  readonly last: number;
  readonly above: number;
  readonly below: number;
}

/**
 * Returns the turns that are in view or near, in px from the top; an endless `top` means the end. `heightAt` is what a
 * turn took when it was drawn last.
 */
export function turnWindow(
  count: number,
  heightAt: (index: number) => number,
  view: { readonly top: number; readonly height: number },
): TurnWindow {
  const { height } = view;
  let whole = 0;
  for (let index = 0; index < count; index++) whole += heightAt(index);
  const top = Math.min(view.top, Math.max(0, whole - height));
  let first = 0;
  let above = 0;
  while (first < count && above + heightAt(first) < top - OVERSCAN) above += heightAt(first++);
  let last = first;
  let end = above;
  while (last < count && end < top + height + OVERSCAN) end += heightAt(last++);
  return { first, last, above, below: whole - end };
}
