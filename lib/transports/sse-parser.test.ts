import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SseParser, type StreamEvent } from './sse-parser';

/** An item with its data as latin1 text, one character per byte. */
type Item = Omit<StreamEvent, 'data'> & { readonly data?: string };

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Parses chunks, and checks that the data of each event stands where the parser says. */
function parse(chunks: readonly Uint8Array[], maxBytes = 1e6): Item[] {
  const items: Item[] = [];
  const parser = new SseParser(maxBytes, ({ data, ...about }, source, start) => {
    if (data) expect(latin1(source.subarray(start, start + data.length))).toBe(latin1(data));
    items.push({ ...about, ...(data && { data: latin1(data) }) });
  });
  for (const chunk of chunks) parser.feed(chunk);
  return items;
}

const parseText = (text: string) => parse([Buffer.from(text)]);

/** The same by the library, which reads strings. */
function byLibrary(text: string): Item[] {
  const items: Item[] = [];
  const utf8 = (characters: string) => Buffer.from(characters, 'latin1').toString();
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      items.push({
        ...(id !== undefined && { id: utf8(id) }),
        ...(event !== undefined && { event: utf8(event) }),
        data,
      }),
    onRetry: (retry) => items.push({ retry }),
    onComment: (comment) => items.push({ comment: utf8(comment) }),
  });
  parser.feed(text);
  return items;
}

describe('an event stream', () => {
  test('has events with ids, names and data of several lines, comments and retry times', () => {
    expect(
      parseText(
        ': hello\nretry: 50\n\nid: 7\nevent: message\ndata: {"a":1}\n\ndata:x\r\ndata\rdata: z\n\nevent: e\n\n',
      ),
    ).toEqual([
      { comment: 'hello' },
      { retry: 50 },
      { id: '7', event: 'message', data: '{"a":1}' },
      { data: 'x\n\nz' },
    ]);
  });

  test('keeps invalid UTF-8 exact', () => {
    const bytes = Buffer.from('data: \xff\x80\n\n', 'latin1');
    expect(parse([bytes])).toEqual([{ data: '\xff\x80' }]);
  });

  test('begins after a byte order mark, even in pieces', () => {
    const mark = [0xef, 0xbb, 0xbf].map((byte) => Uint8Array.of(byte));
    expect(parse([...mark, Buffer.from('data: x\n\n')])).toEqual([{ data: 'x' }]);
    expect(parse([...mark.slice(0, 2), Buffer.from('data: x\n\ndata: y\n\n')])).toEqual([{ data: 'y' }]);
  });

  test('ends a line at a carriage return without waiting for the next byte', () => {
    expect(parse([Buffer.from('data: x\r\n\r')])).toEqual([{ data: 'x' }]);
    expect(parse([Buffer.from('data: x\r\n\r'), Buffer.from('\ndata: y\r\r')])).toEqual([{ data: 'x' }, { data: 'y' }]);
  });

  test('is as the library reads it, however it is cut', () => {
    const piece = fc.constantFrom(
      'data',
      'data:',
      'data: ',
      'event:',
      'event: message',
      'id: 1',
      'id',
      'id:\0',
      'retry: 5',
      'retry: x',
      ':',
      ': c',
      '\n',
      '\n\n',
      '\r\n',
      '\r',
      ' ',
      'x',
      '{"a":1}',
      'é',
      '\u{1f600}',
      'dat',
      'datax:',
      'dataé',
      'other: x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(60), { maxLength: 6 }), (pieces, cuts) => {
        // The library waits for the byte after a carriage return at the end.
        const bytes = Buffer.from(`${pieces.join('')}!`);
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index]!, place));
        expect(parse(chunks)).toEqual(byLibrary(latin1(bytes)));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['an unfinished line', ['data: ', 'x'.repeat(60), 'x'.repeat(60)]],
    ['one line', [`data: ${'x'.repeat(120)}\n`]],
    ['many lines', ['data: x\n'.repeat(60)]],
  ])('is refused if an event is too long: %s', (_what, texts) => {
    const chunks = texts.map((text) => Buffer.from(text));
    expect(() => parse(chunks, 100)).toThrow(/more than 100/);
    expect(parse(chunks, 200)).toEqual([]);
  });

  test('is read in linear time, in a million pieces or lines', () => {
    const [one, line] = [Buffer.from('x'), Buffer.from('data:x\n')];
    let events = 0;
    const parser = new SseParser(1e8, () => events++);
    parser.feed(Buffer.from('data:'));
    for (let n = 0; n < 1e6; n++) parser.feed(one);
    parser.feed(Buffer.from('\n\n'));
    for (let n = 0; n < 1e6; n++) parser.feed(line);
    parser.feed(Buffer.from('\n'));
    expect(events).toBe(2);
  }, 20_000);
});

test.each<[string, object | undefined]>([
  ['data: a\n\n', undefined],
  ['event: x\n', undefined],
  ['event: x\ndata: a\n', { event: 'x', data: 'a' }],
  ['data: a\ndata: b', { data: 'a\nb' }],
])('the end of a stream cuts off %j', (text, expected) => {
  const seen: unknown[] = [];
  const parser = new SseParser(1000, (event) => seen.push(event));
  parser.feed(new TextEncoder().encode(text));
  const before = seen.length;
  const found = parser.unfinished();
  expect(found && { ...found, data: new TextDecoder().decode(found.data) }).toEqual(expected);
  expect(seen).toHaveLength(before);
});
