import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';
import { PLANTED } from './test-planted';

const NAMES = ['password', 'token', 'pin', 'apiKey', 'authorization', 'name', 'value', 'text', 'a"b', 'headers', '-p'];
const STRINGS = [
  'Zx9kQ2vLm4Tn8RwB',
  'p"a\\ss/w0rd99',
  '12345678',
  'a\nb\tc9d8e7f6',
  'Bearer abc123.def456',
  'fog',
  'password=Xx9876ab&pin: 87654321',
  'x {"password":12345678} y',
  'postgres://u:pw"12@h/x',
];
const NUMBERS = [12345678, 1234567890123, -5.5e3, 87654321, 7];

/** Values that contain secrets, plain and inside JSON strings. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...STRINGS, ...NUMBERS, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 }),
    tie('value').map((inner) => JSON.stringify(inner)),
  ),
}));

/** Checks that JSON inside a string stays JSON. A number may have become a string. */
function expectLike(after: unknown, before: unknown): void {
  if (typeof before === 'number') expect(['number', 'string']).toContain(typeof after);
  else expect(typeof after).toBe(typeof before);
  if (typeof before === 'string') {
    const inner = objectIn(before);
    if (inner !== undefined && !/^\[redacted:/.test(after as string)) expectLike(JSON.parse(after as string), inner);
  } else if (typeof before === 'object' && before !== null) {
    const members = Object.entries(before);
    expect(Object.keys(after as object)).toHaveLength(members.length);
    for (const [at, member] of Object.values(after as object).entries()) expectLike(member, members[at]![1]);
  }
}

function objectIn(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

test('JSON stays JSON, even inside JSON strings', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const [capture, review] = [new CaptureRedactor([]), new ShareReview()];
      const recorded = values.map((one, seq) => capture.apply({ ...plantedFrame(JSON.stringify([one])), seq }));
      for (const frame of recorded) review.addFrame(frame);
      const redaction = review.createRedaction({});
      for (const [at, frame] of recorded.entries()) {
        for (const { bytes } of [frame, redaction.apply(frame)]) {
          expectLike(JSON.parse(new TextDecoder().decode(bytes)), [values[at]]);
        }
      }
    }),
    { numRuns: 400 },
  );
});

test('removes a repeated number in JSON inside a string', () => {
  const redactor = new CaptureRedactor([]);
  const asked = { arguments: { password: 12345678 } };
  const told = { content: [{ text: JSON.stringify({ got: JSON.stringify(asked.arguments) }) }] };
  const [first, second] = [asked, told].map((one) =>
    JSON.parse(new TextDecoder().decode(redactor.apply(plantedFrame(JSON.stringify(one))).bytes)),
  );
  const { got } = JSON.parse(second.content[0].text);
  expect(JSON.parse(got)).toEqual(first.arguments);
  expect(first.arguments.password).toMatch(/^\[redacted:password:\w{8}\]$/);
});

const said = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);

test.each(PLANTED)('finds nothing in a redacted text: $where', ({ frames }) => {
  const [redactor, another] = [new CaptureRedactor([]), new CaptureRedactor([])];
  for (const frame of frames) {
    const once = redactor.apply(frame);
    expect(said(another.apply(once))).toBe(said(once));
  }
});

function share(frame: ReturnType<typeof plantedFrame>): ReturnType<typeof plantedFrame> {
  const review = new ShareReview();
  review.addFrame(frame);
  return review.createRedaction({}).apply(frame);
}

test('keeps placeholders when a shared recording is shared again', () => {
  const texts = [
    ...STRINGS,
    'x password=S3cretabc99q',
    'token=(Zx9kQ2vLm4Tn8RwB)',
    'Authorization: Bearer abc123.def456',
    'DATABASE_URL=postgres://admin:Hunter2pw@db:5432/x and redis://:pw99xx@h:6379',
    'https://tok_abcdef123456@host/x, https://user:pw9x@[::1]:8080/',
    'curl -u bob:hunter2! x; redis-cli -a a1b2c3d4e5 ping',
    "CREATE USER bob IDENTIFIED BY 'S3cret-99x'",
    'db.example:5432:shop:app:hunter2-77',
    'machine h login bob password x9;y',
    'bob:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
    'kind: Secret\ndata:\n  a: cGFzc3dvcmQtMTIz\n  b: |\n    eW91LW5lZWQtMQ==\n',
    '{"kind":"Secret","data":{"a":"cGFzc3dvcmQtMTIz"},"stringData":{"b":"words"}}',
    'id,password\n1,hunter2\n',
    '| id | Access token |\n|---|---|\n| 1 | `Zx9kQ2vLm4Tn` |\n',
    "INSERT INTO users (id, password) VALUES (1, 'words'), (2, 'it''s-2');",
    '{"columns":["id","password"],"rows":[[1,"words"],[2,12345678]]}',
    'seed phrase: ability able about above absent absorb abstract absurd abuse access accident account',
  ];
  const redactor = new CaptureRedactor([]);
  for (const [seq, text] of texts.entries()) {
    const once = redactor.apply({ ...plantedFrame(text, 'stderr'), seq });
    expect(said(new CaptureRedactor([]).apply(once))).toBe(said(once));
    const shared = share(once);
    expect(said(share(shared))).toBe(said(shared));
  }
});
