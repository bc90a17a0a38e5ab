import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { CaptureRedactor } from './capture-redactor';
import { REDACTED_PLACES } from './scan-frame';
import { REDACTED_SLICE_BYTES } from './scan-text';
import { SECRET_SHAPES } from './shape-rows';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';

/** Chooses the size of a text. A long one shows time that is not linear; a short one is enough for all else. */
const sized = (long: number, short: number): number => (process.env.TEST_LONG ? long : short);
const LENGTH = sized(100_000, 5000);
const UNITS = [
  'a',
  'A1b',
  'token',
  'token=',
  '"token":',
  '--token ',
  '?code=',
  '\\u0041',
  '\\',
  '"',
  "'",
  '[',
  '{"a":',
  '{"token":"\\u0041',
  'a@',
  'a.',
  '/home/',
  '%3D',
  'key-',
  '=',
  '[redacted:',
  '-----BEGIN PRIVATE KEY-----',
  '://a:',
  'aa aa1 ',
  'kind: Secret\n',
  'a,token\n',
  'a,token\n"',
  '| token |\n',
  ',token',
  ':5432:a',
  'insert into a (password) values (',
  'seed phrase: a ',
  ') from stdin\n',
  '{"kind":"Secret","data":{"a":"b","data":',
  '{"columns":["password"],"rows":[["',
  'seed phrase: abcd abcd',
  'token\n',
  'token ',
  'a  token\nb  ',
  '\nkind: Secret',
  'token\n---\n',
  '\ntoken:\n  ',
  'data:\n  a: b\n',
  '%41',
  '%25',
  '&amp;',
  '" + "',
  '=\n',
  '41 ',
  '65, ',
  'QUJD',
  'H4sIAAAAAAAAA',
  'S0wEAQ==',
  '4142',
  'SABP AFMA',
  "insert into a (password) values ('x'), ",
  'authorization: a="b", ',
  'ghp_',
  'thin:a/',
  '["password",',
  'machine a login b password ',
  "insert into a (password) values ('",
  '  data:\n a: |\n',
  '- ',
  ...new Set(SECRET_SHAPES.flatMap(({ starts: [start] }) => [start!, `${start}-`])),
];

describe('scans long repetitions in linear time', () => {
  test.each(UNITS)('%j', (unit) => {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length));
    for (const frame of [plantedFrame(text), plantedFrame(JSON.stringify({ text }))]) {
      new CaptureRedactor(['some-secret-value-1']).apply(frame);
      const review = new ShareReview();
      review.addFrame(frame);
      expect(review.createRedaction().apply(frame).bytes.length).toBeGreaterThan(0);
    }
  });
});

test('finds many values with the same beginning in linear time', () => {
  const start = 'abc 1'.repeat(20);
  const redactor = new CaptureRedactor(Array.from({ length: 900 }, (_, index) => `${start}${index}`));
  const frame = plantedFrame('abc 1'.repeat(LENGTH / 5));
  expect(redactor.apply(frame)).toBe(frame);
  expect(new TextDecoder().decode(redactor.apply(plantedFrame(`x${start}77 y`)).bytes)).toMatch(
    /^x\[redacted:given:\w{8}\] y$/,
  );
});

describe('scans a large frame in short steps', () => {
  const nested = JSON.stringify({
    a: JSON.stringify({ b: JSON.stringify({ c: 'password=\\"'.repeat(sized(40_000, 15_000)) }) }),
  });
  test.each([
    ['JSON in JSON, cut', nested.slice(0, -5)],
    [
      'a long string',
      JSON.stringify({
        data: `${'x y '.repeat(sized(200_000, 70_000))} token=Ab12-Cd34-Ef56 ${'z '.repeat(sized(300_000, 70_000))}`,
      }),
    ],
    [
      'many values',
      JSON.stringify(Array.from({ length: sized(20_000, 3000) }, (_, index) => ({ token: `tok-${index}-Ab9` }))),
    ],
    ['text', `x ${`line of a log password=Ab12-Cd34 ${'and so on '.repeat(9)}\n`.repeat(sized(9000, 3000))}`],
    ['escapes', `{"a":"${'\\u0041\\u0062'.repeat(sized(90_000, 30_000))} token=Ab12-Cd34-Ef56"}`],
  ])('%s', (_, text) => {
    const [frame, redactor] = [plantedFrame(text), new CaptureRedactor([])];
    const steps = redactor.applyInSlices(frame);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(count).toBeGreaterThan(text.length / REDACTED_SLICE_BYTES - 1);
    // The placeholders come from another redactor.
    const plain = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replace(/:\w{8}\]/g, ']');
    expect(plain(step.value.bytes)).toBe(plain(new CaptureRedactor([]).apply(frame).bytes));
    expect(plain(step.value.bytes)).not.toContain('Ab12-Cd34');
  });

  test('prepares few secrets at a time in a frame with very many', () => {
    const places = 5000;
    const text = Array.from({ length: places }, (_, index) => `password=Xq${index}zZ9`).join(' ');
    let steps = 0;
    for (const _ of new CaptureRedactor([]).applyInSlices(plantedFrame(text))) steps++;
    expect(steps).toBeGreaterThan(places / 64 + LIMITS.redactedValues / 8);
  });

  test('replaces a frame with too many secrets, and JSON stays JSON', () => {
    const items = Array.from({ length: REDACTED_PLACES + 9000 }, (_, index) => ({
      // Values are looked for everywhere, so that many different ones take long.
      token: `tok-${index % sized(Number.POSITIVE_INFINITY, 10)}-Ab9`,
    }));
    for (const text of [JSON.stringify({ items }), `log ${JSON.stringify({ items })}`]) {
      const { bytes } = new CaptureRedactor([]).apply(plantedFrame(text));
      expect(new TextDecoder().decode(bytes)).toMatch(/^"?\[redacted:too-many:\w{8}\]"?$/);
    }
  });

  test('finds secrets across slices', () => {
    for (let before = REDACTED_SLICE_BYTES - 40; before < REDACTED_SLICE_BYTES + 10; before += 2) {
      const text = JSON.stringify({
        data: `${'é'.repeat(8)}${'x '.repeat(before / 2)}token=Ab12-Cd34-Ef56 "${'y '.repeat(120_000)}`,
      });
      const { bytes } = new CaptureRedactor([]).apply(plantedFrame(text));
      expect(new TextDecoder().decode(bytes)).toMatch(/ token=\[redacted:token:\w{8}\] \\"y/);
    }
  });
});

describe('scans a line of many cookie names a few times, not once per name', () => {
  test.each(['Cookie: a=b;', 'cookie=abcdefgh ', 'cookie:aaa;'])('%j', (unit) => {
    const text = unit.repeat(4000);
    const read = charactersMatched(() => new CaptureRedactor([]).apply(plantedFrame(text)));
    expect(read).toBeLessThan(100 * text.length);
  });
});

/** Counts the time of all regular expressions. */
function charactersMatched(run: () => void): number {
  const exec = RegExp.prototype.exec;
  let count = 0;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const found = exec.call(this, text);
    count += found?.[0].length ?? 0;
    return found;
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return count;
}

test('removes the pairs of a cookie, and keeps prose about cookies', () => {
  const frame = plantedFrame('Cookie: a few words about them\nCookie: theme=dark; sid=Ab12; lang=en"x', 'stderr');
  const written = new TextDecoder().decode(new CaptureRedactor([]).apply(frame).bytes);
  expect(written).toMatch(/^Cookie: a few words about them\nCookie: \[redacted:cookie:\w{8}\]"x$/);
});

test('never removes the structure of messages because of a server’s value', () => {
  const redactor = new CaptureRedactor([]);
  redactor.apply(
    plantedFrame(JSON.stringify({ token: '"jsonrpc":"2.0"', secret: '12345678', password: ',"result":{' })),
  );
  const written = new TextDecoder().decode(
    redactor.apply(plantedFrame('{"jsonrpc":"2.0","id":12345678,"result":{"n":123456789}}')).bytes,
  );
  expect(written).toMatch(/^\{"jsonrpc":"2\.0","id":"\[redacted:secret:\w{8}\]","result":\{"n":123456789\}\}$/);
});

test.each(['id,password\n1,2-\u00e0\n2,"\n', '| password |\n|\n| 1\u00e0 |\n||', 'seed phrase:'])(
  'survives the odd layout %j, and returns text',
  (text) => {
    for (const frame of [plantedFrame(text), plantedFrame(JSON.stringify({ text }))]) {
      const { bytes } = new CaptureRedactor([]).apply(frame);
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow();
    }
  },
);

test('treats names from Object.prototype as ordinary names', () => {
  const text = '{"__proto__":{"password":"hunter2!"},"constructor":"x","toString":{"hasOwnProperty":1}}';
  const written = new TextDecoder().decode(new CaptureRedactor([]).apply(plantedFrame(text)).bytes);
  expect(written).toMatch(/^\{"__proto__":\{"password":"\[redacted:password:\w{8}\]"\},"constructor":"x"/);
  expect(({} as Record<string, unknown>).password).toBeUndefined();
});
