import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject } from '@/lib/wire/message';
import { EngineInterest } from './interest';

const concerns = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return new EngineInterest().mayConcernEngine(bytes, 0, bytes.length);
};

describe('engine interest', () => {
  test.each([
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error response with a null id', '{"jsonrpc":"2.0","error":{"code":-32700},"id" : null}'],
    ['a request from the server', '{"jsonrpc":"2.0","method":"ping","id":"a"}'],
    ['an id behind an escape', '{"jsonrpc":"2.0","\\u0069d":1,"result":{}}'],
    ['progress', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}'],
    ['progress as PHP writes it', '{"method":"notifications\\/progress"}'],
    ['progress behind escapes', '{"method":"notifications\\u002fprogres\\u0073"}'],
    ['cancelled', '{"method":"notifications/cancelled","params":{"requestId":1}}'],
    ['list_changed', '{"method":"notifications/tools/list_changed"}'],
    ['list_changed behind an escape', '{"method":"notifications/tools/list\\u005Fchanged"}'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
  ])('%s concerns it', (_, text) => expect(concerns(text)).toBe(true));

  test.each([
    [
      'a log message',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"no progress yet"}}',
    ],
    [
      'a coloured one',
      '{"method":"notifications/message","params":{"data":"\\u001b[32mgreen\\u001b[0m \\u003cb\\u003e"}}',
    ],
    ['an updated resource', '{"method":"notifications/resources/updated","params":{"uri":"a://b"}}'],
    ['junk', 'Server listening on port 3000'],
    ['nothing', ''],
  ])('%s does not', (_, text) => expect(concerns(text)).toBe(false));

  test('whatever JSON.parse makes a message of concern from, however it is escaped, is never missed', () => {
    const escaped = (text: string): fc.Arbitrary<string> =>
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: text.length, maxLength: text.length }).map((choices) =>
        [...text]
          .map((letter, index) => {
            const hex = letter.charCodeAt(0).toString(16).padStart(4, '0');
            if (choices[index] === 1) return `\\u${hex}`;
            if (choices[index] === 2) return `\\u${hex.toUpperCase()}`;
            return choices[index] === 3 && letter === '/' ? '\\/' : letter;
          })
          .join(''),
      );
    const methods = ['notifications/progress', 'notifications/cancelled', 'notifications/prompts/list_changed'];
    const message = fc.oneof(
      escaped('id').map((key) => `{"${key}":1,"result":{}}`),
      fc
        .constantFrom(...methods)
        .chain(escaped)
        .map((method) => `{"method":"${method}"}`),
    );
    fc.assert(
      fc.property(message, (text) => {
        expect(isObject(JSON.parse(text))).toBe(true);
        expect(concerns(text)).toBe(true);
      }),
    );
  });

  test('line after line of one chunk it says the same as for each line alone', () => {
    const line = fc.constantFrom(
      '{"id":1}',
      '{"x":"progress"}',
      'junk',
      '',
      '"i',
      'd"',
      '\\u0061',
      '{"method":"a/list_changed"}',
    );
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 12 }), { maxLength: 4 }), (chunks) => {
        const interest = new EngineInterest();
        for (const lines of chunks) {
          const chunk = Buffer.from(lines.map((text) => `${text}\n`).join(''));
          let start = 0;
          for (const text of lines) {
            const end = start + text.length;
            expect(interest.mayConcernEngine(chunk, start, end)).toBe(concerns(text));
            start = end + 1;
          }
        }
      }),
    );
  });

  test('asked again about an earlier line it looks again', () => {
    const chunk = Buffer.from('{"id":1}\nnothing\n');
    const interest = new EngineInterest();
    expect(interest.mayConcernEngine(chunk, 9, 16)).toBe(false);
    expect(interest.mayConcernEngine(chunk, 0, 8)).toBe(true);
  });
});
