import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteText } from './byte-text';
import { type Literal, LiteralFinder } from './literal-finder';

const LITERALS = [
  { text: 'SK' },
  { text: 'key', anyCase: true },
  { text: 'token', anyCase: true },
  { text: 'sk-' },
  { text: 'sk-lf-' },
  { text: 'f-' },
  { text: 'AAAA' },
  { text: '\u001b[' },
] as const satisfies readonly Literal[];
const FINDER = new LiteralFinder<Literal>(LITERALS);

/** Text with many beginnings of literals. */
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
      'A',
      'AAA',
      '\u001b',
      'é',
      '\\',
    ),
  )
  .map((parts) => new TextEncoder().encode(parts.join('')));

/** Returns the offset and text of every literal, as written here once more. */
function expected(text: string, from: number): string[] {
  return Array.from(text, (_, at) =>
    (LITERALS as readonly Literal[])
      .filter(({ text: literal, anyCase }) => {
        const there = text.slice(at, at + literal.length);
        if (literal === 'AAAA' && text[at - 1] === 'A') return false;
        return (anyCase ? there.toLowerCase() : there) === literal;
      })
      .toSorted((a, b) => a.text.length - b.text.length)
      .map((literal) => `${at} ${literal.text}`),
  )
    .slice(from)
    .flat();
}

function found(next: (from: number) => ReturnType<typeof FINDER.nextInText>, from: number): string[] {
  const all: string[] = [];
  for (let place = next(from); place; place = next(place.at + 1)) {
    for (const literal of place.literals) all.push(`${place.at} ${literal.text}`);
  }
  return all;
}

test('finds every literal in text and in bytes', () => {
  fc.assert(
    fc.property(texts, fc.nat(3), (bytes, from) => {
      const text = byteText(bytes);
      expect(found((at) => FINDER.nextInText(text, at), from)).toEqual(expected(text, from));
      expect(found((at) => FINDER.nextInBytes(bytes, at), from)).toEqual(expected(text, from));
    }),
    { numRuns: 2000 },
  );
});

test('finds a literal at the very end', () => {
  for (const before of ['', '.', '..', '...', 'x']) {
    for (const { text } of LITERALS) {
      expect(FINDER.nextInBytes(new TextEncoder().encode(before + text), 0), before + text).toBeDefined();
    }
  }
});
