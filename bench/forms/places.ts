/** Where the leaves of an example are in the page. */
export interface Places {
  /** In a control of their own, a JSON box of an untyped value included. */
  readonly own: number;
  /** Only within a larger JSON box. */
  readonly json: number;
  /** Nowhere. */
  readonly missing: number;
}

/** Looks for markers in the controls of the form that is mounted. */
export function placesOf(markers: readonly string[]): Places {
  const own = new Set<string>();
  let json = '';
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    '[data-form] :is(input, textarea)',
  )) {
    const { value } = control;
    own.add(value);
    // A JSON box shows a text with its quotes.
    if (/^"m\d+"$/.test(value)) own.add(value.slice(1, -1));
    else if (/^[[{]/.test(value)) json += value;
  }
  const inOwn = markers.filter((marker) => own.has(marker)).length;
  const inJson = markers.filter((marker) => !own.has(marker) && json.includes(marker)).length;
  return { own: inOwn, json: inJson, missing: markers.length - inOwn - inJson };
}
