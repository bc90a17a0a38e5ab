import { describe, expect, test } from 'vitest';
import { type FoundSecret, mergeOverlaps } from './found-secret';
import { SECRET_RULES } from './rules';
import { scanFrame } from './scan-frame';
import { vendorDocument } from './test-vendor-document';
import { exampleOf, memberOf } from './test-vendor-example';
import { SOURCES } from './test-vendor-sources';
import { vendorTokensIn } from './test-vendor-tokens';
import { VENDOR_KINDS, VENDOR_STARTS, vendorTokenAt } from './vendor-tokens';

const KINDS = VENDOR_KINDS.map((kind) => [kind.name, kind] as const);
/** Alternatives of a shape take turns; no shape has more. */
const TURNS = [0, 1, 2, 3, 4, 5];

const PLACES: readonly (readonly [where: string, write: (token: string) => string])[] = [
  ['alone', (token) => token],
  ['in JSON', (token) => JSON.stringify({ a: [{ b: token, c: 1 }] })],
  ['after =', (token) => `X=${token}\nY=2`],
  ['in a URL', (token) => `https://host/path?q=1&x=${token}&z=3`],
  ['after an encoded =', (token) => `https://host/?to=https%3A%2F%2Fi%2F%3Fx%3D${token}&z=3`],
  ['in prose', (token) => `It is ${token}, keep it. (Really: ${token}.)`],
  ['in quotes', (token) => `'${token}' and \`${token}\``],
];

/** Returns the tokens in a text, without line breaks and JSON's escapes of them. */
const tokensIn = (text: string) => vendorTokensIn(text).map(({ from, to }) => plain(text.slice(from, to)));
const plain = (text: string) => text.replace(/\\n|\n/g, '');

describe('finds a token of this kind, and no more than the token', () => {
  test.each(KINDS)('%s', (_, kind) => {
    for (const turn of TURNS) {
      const { text } = exampleOf(kind, turn);
      for (const [where, write] of PLACES) {
        const found = tokensIn(write(text));
        expect(found.length, `${where}: ${write(text)}`).toBeGreaterThan(0);
        const expected = kind.shape.includes('{pem}') ? expect.stringContaining(plain(text)) : plain(text);
        for (const one of found) expect(one, where).toEqual(expected);
      }
    }
  });
});

describe('does not take a shorter text for this kind', () => {
  test.each(KINDS)('%s', (name, kind) => {
    for (const turn of TURNS) {
      const { short } = exampleOf(kind, turn);
      if (short === undefined) continue;
      for (const found of vendorTokensIn(`it is ${short} now`)) expect(found.kind.name).not.toBe(name);
    }
  });
});

test('finds a token inside a word if its beginning occurs nowhere else', () => {
  for (const kind of VENDOR_KINDS.filter(({ lead }) => lead.most === 0)) {
    const { text } = exampleOf(kind);
    if (!/^\w/.test(text)) continue;
    const found = vendorTokensIn(`x${text}`).map((one) => one.kind.name);
    if (kind.isDistinct) expect(found.length, text).toBeGreaterThan(0);
    else expect(found, text).not.toContain(kind.name);
  }
});

const isCertain = ({ rule }: FoundSecret) => SECRET_RULES[rule].rank === 'certain';

/** Returns what is left of a text around the places of secrets. */
function leftOf(text: string, found: readonly FoundSecret[]): string[] {
  const spans = mergeOverlaps(found);
  return [...spans, undefined].map((span, at) => text.slice(spans[at - 1]?.to ?? 0, span?.from));
}

/** Tokens of each kind, of any length and characters that its shape allows. */
const MEMBERS = process.env.TEST_LONG ? 500 : 25;

describe('leaves no four characters of a token, and ends where its alphabet does', () => {
  test.each(KINDS.filter(([, { shape }]) => !shape.includes('{pem}')))('%s', (_, kind) => {
    for (let turn = 0; turn < MEMBERS; turn++) {
      const token = memberOf(kind);
      for (const [weak, before, after] of [
        [true, 'key=', ',next'],
        [true, 'with token=', ',next'],
        [false, 'with token=', ',next'],
        [true, '{"a":"', '"} '],
      ] as const) {
        const found: FoundSecret[] = [];
        const text = before + (before.endsWith('"') ? JSON.stringify(token).slice(1, -1) : token) + after;
        scanFrame(text, { weak, found: (secret) => isCertain(secret) && found.push(secret) });
        const left = leftOf(text, found);
        // Nothing around it is masked, and no four characters of it in a row are left.
        expect(left[0], token).toBe(before);
        expect(left.at(-1)!.slice(-after.length), token).toBe(after);
        expect(left.at(-1)!.length - after.length, token).toBeLessThan(4);
        for (const inside of left.slice(1, -1)) expect(inside.length, token).toBeLessThan(4);
      }
    }
  });
});

test('takes a token with a wrong checksum, because a mistyped token still shows most of the real one', () => {
  const summed = VENDOR_KINDS.filter(({ check }) => /base62|routable|grafana|cloudflare|bech32/.test(check ?? ''));
  expect(summed.length).toBeGreaterThan(10);
  for (const kind of summed) {
    const { text } = exampleOf(kind);
    const at = text.length - 20;
    const other = text.slice(0, at) + (text[at] === 'Q' ? 'P' : 'Q') + text.slice(at + 1);
    expect(vendorTokensIn(other)[0], other).toMatchObject({ kind });
  }
});

test('takes the longest token at a place', () => {
  const kinds = VENDOR_STARTS.get('ghs_')!;
  const long = `ghs_12345_${'aB3'.repeat(10)}.${'aB3'.repeat(10)}.${'aB3'.repeat(10)}`;
  expect(vendorTokenAt(`x ${long} y`, 2, [{ kinds }])).toMatchObject({ from: 2, to: 2 + long.length });
  expect(vendorTokenAt(`x ${long} y`, 2, [{ kinds }], 3)).toBeUndefined();
});

test('has at least 200 kinds, each with a name of its own and a source', () => {
  const names = VENDOR_KINDS.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(200);
  expect(new Set(names).size).toBe(names.length);
  expect(SOURCES.map(([name]) => name)).toEqual(names);
  for (const text of VENDOR_STARTS.keys()) expect(text.length).toBeGreaterThan(1);
});

test('docs/secrets-known.md lists every kind (vitest --update rewrites it)', async () => {
  await expect(vendorDocument()).toMatchFileSnapshot('../../docs/secrets-known.md');
});

test('takes linear time for repetitions', () => {
  for (const [at, start] of [...VENDOR_STARTS.keys()].entries()) {
    const units = [start, `${start}-`, `${start}aB3./=`, ` ${start}${'a'.repeat(60)}`, `${start}eyJ.`];
    // Without TEST_LONG the starts take turns with the units.
    for (const unit of process.env.TEST_LONG ? units : [units[at % units.length]!]) {
      const text = unit.repeat(Math.ceil(10_000 / unit.length));
      const isFast = () => {
        const begun = performance.now();
        vendorTokensIn(text);
        // A quadratic search takes seconds.
        return performance.now() - begun < 1000;
      };
      // A busy machine may interrupt the first search.
      expect(isFast() || isFast(), unit).toBe(true);
    }
  }
});
