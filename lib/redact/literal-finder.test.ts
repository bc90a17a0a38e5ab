import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteText } from './byte-text';
import { LiteralFinder, type LiteralHit } from './literal-finder';

const LITERALS = [
  { text: 'SK' },
  { text: 'key', anyCase: true },
  { text: 'token', anyCase: true },
  { text: 'sk-' },
  { text: 'sk-lf-' },
  { text: '\u001b[' },
];

/** Text with many beginnings of literals, at even and odd places. */
const texts = fc
  .array(
    fc.constantFrom(
      'SK',
      'S',
      'K',
      'ke',
      'KEY',
      'Key',
      'tok',
      'En',
      'token',
      'sk-',
      'sk-l',
      'f-',
      '\u001b',
      '[',
      'x',
      'é',
    ),
  )
  .map((parts) => new TextEncoder().encode(parts.join('')));

function all(next: (hit: LiteralHit | undefined) => LiteralHit | undefined): LiteralHit[] {
  const hits: LiteralHit[] = [];
  for (let hit = next(undefined); hit; hit = next(hit)) hits.push(hit);
  return hits;
}

test('finds the same in bytes as in text', () => {
  const finder = new LiteralFinder(LITERALS);
  fc.assert(
    fc.property(texts, fc.nat(3), (bytes, from) => {
      const text = byteText(bytes);
      const inBytes = all((hit) => finder.nextInBytes(bytes, hit?.end ?? from, hit?.state));
      expect(inBytes).toEqual(all((hit) => finder.nextInText(text, hit?.end ?? from, hit?.state)));
    }),
    { numRuns: 2000 },
  );
});

test('finds a literal at the very end', () => {
  const finder = new LiteralFinder(LITERALS);
  for (const before of ['', '.', '..', '...']) {
    for (const { text } of LITERALS) {
      expect(finder.nextInBytes(new TextEncoder().encode(before + text), 0)?.end, before + text).toBeDefined();
    }
  }
});
