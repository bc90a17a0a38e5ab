import { byteText } from './byte-text';
import type { PatternFinder } from './extra-patterns';
import type { Found } from './found';
import { outermost } from './outermost';
import { scanFrame } from './scan-frame';

/** In how many places of a frame patterns of a person's own would mask something. */
export function patternPlaces(inPattern: PatternFinder, bytes: Uint8Array): number {
  const found: Found[] = [];
  scanFrame(byteText(bytes), {
    weak: false,
    inText: (part, report) => inPattern(part, (from, to, value) => report('pattern', from, to, value)),
    found: (place) => {
      if (place.rule === 'pattern') found.push(place);
    },
  });
  return outermost(found).length;
}
