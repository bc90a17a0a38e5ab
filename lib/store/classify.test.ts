import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JSON_NODES } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { runToEnd } from '@/lib/wire/in-slices';
import { type Classified, classify, classifyLarge, PARSED_CHARACTERS, PARSED_MESSAGES, ParsedFrames } from './classify';

const encode = (text: string) => new TextEncoder().encode(text);
const kindOf = (text: string) => classify(encode(text)).kind;

describe('kinds', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'notification'],
    ['{"method":"notifications/initialized"}', 'notification'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'response'],
    ['{"jsonrpc":"2.0","id":1,"result":null}', 'response'],
    ['{"id":1,"result":{}}', 'response'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":null}', 'response'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', 'error'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', 'error'],
    ['{"jsonrpc":"2.0","error":"not even an object"}', 'error'],
    ['[{"jsonrpc":"2.0","id":1,"result":{}}]', 'batch'],
    ['\u2028 {"jsonrpc":"2.0","id":1,"result":{}}', 'junk'],
    ['  {"jsonrpc":"2.0","id":1,"result":{}}\r', 'response'],
  ])('%s is %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each([
    '',
    ' ',
    'Server listening on stdio',
    '{"jsonrpc":"2.0","id":1,',
    'null',
    '42',
    '"text"',
    '[]',
    '[1,2]',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"level":"info","msg":"started"}',
    '{"method":"GET","url":"/","error":"none"}',
    '\ufeff\ufeff{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"result":{}}}',
  ])('%j is junk', (text) => {
    expect(classify(encode(text))).toMatchObject({ kind: 'junk', messages: [] });
  });
});

describe('messages', () => {
  test.each([
    ['tools/call', { name: 'echo' }, 'echo'],
    ['resources/read', { uri: 'file:///a' }, 'file:///a'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' } }, 'greet'],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'a://{b}' } }, 'a://{b}'],
    ['initialize', { clientInfo: { name: 'us' } }, 'us'],
    ['notifications/message', { level: 'warning' }, 'warning'],
    ['tools/call', { name: 7 }, undefined],
    ['tools/call', ['echo'], undefined],
    ['constructor', { name: 'x' }, 'x'],
  ])('%s with %j has the name %s', (method, params, name) => {
    const [message] = classify(encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).messages;
    expect(message).toMatchObject({ method, name });
  });

  test.each([
    ['1', 1],
    ['"1"', '1'],
    ['null', null],
    ['1.5', 1.5],
    ['{}', undefined],
    ['true', undefined],
  ])('reads the id %s as %j', (written, id) => {
    expect(classify(encode(`{"jsonrpc":"2.0","id":${written},"result":{}}`)).messages[0]?.id).toBe(id);
  });

  test('a batch yields its messages and skips other items', () => {
    const { messages } = classify(encode('[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"a"}]'));
    expect(messages.map(({ kind }) => kind)).toEqual(['response', 'notification']);
  });

  test('a message with invalid UTF-8 is read and marked', () => {
    const bytes = encode('{"jsonrpc":"2.0","id":1,"result":"?"}');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(classify(bytes)).toMatchObject({ kind: 'response', invalidUtf8: true });
    expect(classify(encode('{"jsonrpc":"2.0","id":1,"result":"é"}')).invalidUtf8).toBe(false);
  });

  test('200,000 nested arrays are rejected without a stack overflow', () => {
    const nested = (depth: number) => `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(kindOf(nested(200))).toBe('response');
    expect(kindOf(nested(200_000))).toBe('junk');
    expect(kindOf('['.repeat(200_000))).toBe('junk');
  });
});

test('classifies any bytes and any JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(encode)), (bytes) => {
      const { kind, messages } = classify(bytes);
      expect(kind === 'junk').toBe(messages.length === 0);
    }),
    { seed: 1 },
  );
});

describe('a large frame', () => {
  /** Padding that makes a value large enough to be read member by member. */
  const PAD = `"${'x'.repeat(4100)}"`;
  const NAMES = [
    'id',
    '\\u0069d',
    'method',
    'params',
    'result',
    'error',
    'jsonrpc',
    'name',
    '__proto__',
    'isError',
    '2',
    '1',
    'é',
    '',
  ];

  const space = fc.constantFrom('', ' ', '\r\n');
  const { value: json } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      { arbitrary: fc.constant(PAD), weight: 1 },
      {
        arbitrary: fc.constantFrom(
          '1',
          '-0.5e3',
          'null',
          'true',
          '""',
          '"a\\"b"',
          '"\\ud800"',
          '"notifications/message"',
          '1e999',
        ),
        weight: 8,
      },
      { arbitrary: fc.array(tie('value')).map((items) => `[${items.join(',')}]`), weight: 6 },
      {
        weight: 8,
        arbitrary: fc
          .array(fc.tuple(fc.constantFrom(...NAMES), space, tie('value')))
          .map((members) => `{${members.map(([name, gap, value]) => `${gap}"${name}":${gap}${value}`).join(',')}}`),
      },
    ),
  }));
  /** JSON text, sometimes with one byte changed. */
  const bytes = fc
    .tuple(json, fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { freq: 2 }))
    .map(([text, change]) => {
      const made = encode(text);
      if (change) made[change[0] % made.length] = change[1];
      return made;
    });

  const said = ({ kind, invalidUtf8, messages }: Classified) => ({
    kind,
    invalidUtf8,
    // Comparing text also compares the order of members.
    messages: messages.map((message) => ({ ...message, body: JSON.stringify(message.body) })),
  });
  const large = (from: Uint8Array) => runToEnd(classifyLarge(from));

  test('is classified the same way parsed and outlined', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, fc.uint8Array()), (from) => {
        expect(said(large(from))).toEqual(said(classify(from)));
      }),
      { seed: 1, numRuns: process.env.TEST_LONG ? 500 : 100 },
    );
  });

  test('has the same members and children, as values and as text', () => {
    const read = (source: JsonSource | undefined) => ({
      text: source?.text,
      kind: source?.kind,
      start: source?.textStart(5),
      string: source?.kind === 'string' ? source.stringStart(5) : undefined,
      value: JSON.stringify(source?.value),
    });
    fc.assert(
      fc.property(json, fc.constantFrom(...NAMES), fc.nat({ max: 4 }), (text, name, limit) => {
        const parsed = JsonSource.parse(`{"jsonrpc":"2.0","id":1,"result":${text}}`)!.member('result')!;
        const outlined = large(encode(`{"jsonrpc":"2.0","id":1,"result":${text}}`)).source!.member('result')!;
        expect(read(outlined)).toEqual(read(parsed));
        expect(read(outlined.member(name))).toEqual(read(parsed.member(name)));
        expect(read(outlined.item(limit))).toEqual(read(parsed.item(limit)));
        for (const except of [[], [name]]) {
          const [a, b] = [outlined.children(limit, except), parsed.children(limit, except)];
          expect(a.count).toBe(b.count);
          expect(a.children.map((child) => ({ name: child.name, ...read(child.source) }))).toEqual(
            b.children.map((child) => ({ name: child.name, ...read(child.source) })),
          );
        }
      }),
      { seed: 1, numRuns: process.env.TEST_LONG ? 200 : 50 },
    );
  });

  test.each([-1, 0])('is rejected at the same number of values: %i', (more) => {
    const items = JSON_NODES / 2 + more;
    const text = `{"id":1,"result":[${'[],'.repeat(items - 1)}0]}`;
    const parsed = JsonSource.parse(text) !== undefined;
    expect(large(encode(text)).kind).toBe(parsed ? 'response' : 'junk');
    expect(parsed).toBe(more < 0);
  });
});

const reading = (text: string) => () => JsonSource.parse(text);

test('parses a cached frame once', () => {
  const frames = new ParsedFrames();
  let asked = 0;
  const read = () => {
    asked++;
    return JsonSource.parse('[1]');
  };
  expect(frames.sourceOf(0, read)).toBe(frames.sourceOf(0, read));
  expect(frames.sourceOf(1, reading('junk'))).toBeUndefined();
  expect(asked).toBe(1);
});

test('drops the oldest frame beyond the limit', () => {
  const frames = new ParsedFrames();
  for (let index = 0; index <= PARSED_MESSAGES; index++) frames.sourceOf(index, reading('{}'));
  const parsedAgain: number[] = [];
  for (const index of [1, 0]) {
    frames.sourceOf(index, () => {
      parsedAgain.push(index);
      return JsonSource.parse('{}');
    });
  }
  expect(parsedAgain).toEqual([0]);
});

test('a large frame evicts the others and is cached', () => {
  const frames = new ParsedFrames();
  const large = JSON.stringify('x'.repeat(PARSED_CHARACTERS));
  const small = frames.sourceOf(0, reading('{}'));
  const held = frames.sourceOf(1, reading(large));
  expect(frames.sourceOf(1, reading('{}'))).toBe(held);
  expect(frames.sourceOf(0, reading('{}'))).not.toBe(small);
});
