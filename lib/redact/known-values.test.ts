import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { writtenForms } from './known-forms';
import { KnownValues } from './known-values';
import { plantedFrame } from './test-plant';

const COMMON = `Host=db.internal; Options=${'pool size and more, '.repeat(8)}`;
const TOKEN = `eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ${'odHRwczov'.repeat(20)}`;

/**
 * Common beginnings, shorter and longer than the part that is compared first. One has no spaces, and one contains
 * another.
 */
const HEADS = ['', COMMON, `${COMMON}and as much again: ${COMMON}`, TOKEN, TOKEN.slice(32, 56), 'a1'.repeat(70)];

const values = fc.array(
  fc.tuple(fc.constantFrom(...HEADS), fc.string({ unit: fc.constantFrom(...'ab1 /"+'), minLength: 0, maxLength: 12 })),
  { minLength: 1, maxLength: 40 },
);

test('finds every known value in each form after others were forgotten', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 8 }), (all, most) => {
      const known = new KnownValues(most);
      for (const [head, tail] of all) known.add({ rule: 'secret', value: head + tail });
      for (const { value } of known.values()) {
        for (const form of writtenForms(value, true)) {
          if (form.length < 8) continue;
          const text = `\0${form}\0`;
          const places = [...known.find(text)];
          expect([places[0]?.from, places.at(-1)?.to], `${value} as ${form}`).toEqual([1, form.length + 1]);
          expect(known.mayBeIn(new TextEncoder().encode(form))).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('finds the whole of each value with the same beginning', () => {
  const known = new KnownValues();
  const [first, second] = [`${COMMON}first; Pwd=one 1`, `${COMMON}second; Pwd=two 2`];
  for (const value of [first, second]) known.add({ rule: 'secret', value });
  for (const value of [first, second]) {
    expect([...known.find(`${value} and on`)]).toEqual([
      { from: 0, to: value.length, known: { rule: 'secret', value } },
    ]);
  }
});

test('finds a value that is the beginning of a longer one', () => {
  const known = new KnownValues();
  known.add({ rule: 'secret', value: TOKEN.slice(32, 44) });
  known.add({ rule: 'secret', value: TOKEN });
  expect([...known.find(`is ${TOKEN.slice(32, 58)}?`)]).toMatchObject([{ from: 3, to: 15 }]);
});

test('never skips a frame with an escaped value', () => {
  const value = 'Ab1d/fgh"i\njk-Lm2é';
  const steps: Readonly<Record<string, (text: string) => string>> = {
    slashes: (text) => text.replaceAll('/', '\\/'),
    numbers: (text) => text.replace(/[dfhé]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    percent: encodeURIComponent,
    colour: (text) => text.replace('fg', 'f\u001b[0mg'),
    none: (text) => text,
  };
  const found = (text: string, isScanned: boolean) => {
    const redactor = new CaptureRedactor([value]);
    // While a key is unfinished, no frame is skipped.
    if (isScanned) redactor.apply(plantedFrame('-----BEGIN PRIVATE KEY-----', 'stderr'));
    return new TextDecoder().decode(redactor.apply(plantedFrame(text)).bytes).includes('[redacted:');
  };
  let some = 0;
  const step = fc.constantFrom(...Object.keys(steps));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), (names) => {
      const text = names.reduce((before, name) => steps[name]!(JSON.stringify({ a: before })), value);
      const looked = found(text, true);
      if (looked) some++;
      expect(found(text, false), text).toBe(looked);
    }),
    { numRuns: 300 },
  );
  expect(some).toBeGreaterThan(30);
});

test('skips a large text without any value', () => {
  const known = new KnownValues();
  known.add({ rule: 'given', value: 'given-Qw3Er5Ty7Ui9' });
  let text = '';
  for (let at = 0; at < 20_000; at++) text += `{"id":${at},"name":"Row ${at}","price":${at / 8}},`;
  expect(known.mayBeIn(new TextEncoder().encode(text))).toBe(false);
});
