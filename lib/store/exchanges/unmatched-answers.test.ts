import { describe, expect, test } from 'vitest';
import { Log } from '../log';
import { answered, asked, complained, framesOf, got, happened, logOf, sent } from '../test-frames';
import { explainUnmatched } from './exchange-timeline';

const ASKED = asked(3, 'tools/call', { name: 'avg' });
const ANSWER = { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'a "mean" {' }], n: 1 } };
const PRETTY = JSON.stringify(ANSWER, null, 2).split('\n');

/** Returns the frame that looks like the response to frame 1, and why it is not. */
function found(log: Log): { seq: number; why: string } | undefined {
  const seq = log.exchange(1)?.unmatchedSeq;
  return seq === undefined ? undefined : { seq, why: explainUnmatched(log, seq, 1) };
}

describe('a line that looks like the response', () => {
  test.each<[string, string, string]>([
    ['NaN', '{"jsonrpc": "2.0", "id": 3, "result": {"mean": NaN}}', '`NaN` is not JSON.'],
    ['Infinity', '{"jsonrpc":"2.0","id":3,"result":{"max":-Infinity}}', '`-Infinity` is not JSON.'],
    [
      'Python’s repr',
      `{'jsonrpc': '2.0', 'id': 3, 'result': {'ok': True}}`,
      'Strings in single quotes are not JSON. Use `json.dumps`, not `print` or `str`.',
    ],
    ['a trailing comma', '{"jsonrpc":"2.0","id":3,"result":{"a":1,}}', 'A comma before `}` is not JSON.'],
    ['cut off', '{"jsonrpc":"2.0","id":3,"result":{"content":[{"text":"abc', 'The JSON is incomplete.'],
    [
      'a log prefix',
      'INFO {app}: {"jsonrpc":"2.0","id":3,"result":{}}',
      'The line starts with `INFO {app}:` instead of JSON.',
    ],
    ['two on one line', '{"id":3,"result":{}}{"a":1}', 'There is more text after the JSON: `{"a":1}`.'],
    ['a raw tab', '{"id":3,"result":{"a":"\t"}}', 'A string contains a raw control character.'],
    [
      'the result alone',
      '{"content":[],"isError":false}',
      'It is the result alone. Print it as the member `result` of an object with `jsonrpc` and the `id`.',
    ],
    ['neither member', '{"jsonrpc":"2.0","id":3,"content":[]}', 'It has neither `result` nor `error`.'],
    [
      'too deep',
      `{"id":3,"result":${'['.repeat(300)}${']'.repeat(300)}}`,
      'It is nested too deeply or has too many values.',
    ],
    ['the id last', `{"result":{"a":[NaN,{"id":7}]},"jsonrpc":"2.0","id":3}`, '`NaN` is not JSON.'],
    [
      'the id as a string in it',
      '{"jsonrpc":"2.0","id":"3","result":NaN}',
      '`NaN` is not JSON. Its id is the string "3", expected the number 3.',
    ],
  ])('%s', (_name, line, why) => {
    expect(found(logOf(ASKED, got('hello'), got(line)))).toEqual({ seq: 3, why });
  });

  test('has its id at the start or the end if it is long', () => {
    const long = 'x'.repeat(3_000_000);
    expect(found(logOf(ASKED, got(`{"jsonrpc":"2.0","id":3,"result":{"a":"${long}","b":NaN}}`)))?.seq).toBe(2);
    expect(found(logOf(ASKED, got(`{"result":{"a":NaN,"b":"${long}"},"jsonrpc":"2.0","id":3}`)))?.seq).toBe(2);
    expect(found(logOf(ASKED, got(long), got('{'.repeat(500_000))))).toBeUndefined();
  });
});

describe('a valid response with another id', () => {
  test.each<[string, unknown, string]>([
    ['as a string', '3', 'Its id is the string "3", expected the number 3.'],
    ['null', null, 'Its id is null, expected the number 3.'],
    ['unknown', 77, 'Its id is the number 77, expected the number 3.'],
    ['none', undefined, 'It has no id, expected the number 3.'],
  ])('%s', (_name, id, why) => {
    expect(found(logOf(ASKED, answered(id, {})))).toEqual({ seq: 2, why });
  });

  test('may have a number instead of a string', () => {
    const log = logOf(asked('a7', 'ping'), asked('7', 'ping'), answered(7, {}));
    expect(log.exchange(2)?.unmatchedSeq).toBe(3);
    expect(explainUnmatched(log, 3, 2)).toBe('Its id is the number 7, expected the string "7".');
  });
});

describe('the search for the request', () => {
  test('matches by id, otherwise the only request in flight', () => {
    const other = asked(4, 'tools/list');
    const same = logOf(ASKED, other, got('{"id":4,"result":NaN}'));
    expect([same.exchange(1)?.unmatchedSeq, same.exchange(2)?.unmatchedSeq]).toEqual([undefined, 3]);
    const unknown = logOf(ASKED, other, got('{"jsonrpc":"2.0","id":null,"error":{}}'));
    expect([unknown.exchange(1)?.unmatchedSeq, unknown.exchange(2)?.unmatchedSeq]).toEqual([undefined, undefined]);
  });

  test('matches a request that was given up', () => {
    const given = happened({ event: 'timeout', id: 3, method: 'tools/call', afterMs: 1000 });
    const log = logOf(ASKED, given, answered('3', {}));
    expect(log.exchange(1)).toMatchObject({ status: 'timeout', unmatchedSeq: 3 });
  });

  test('ignores an answered request and a printed copy of its response', () => {
    const line = got('sent {"jsonrpc":"2.0","id":3,"result":{}}');
    const log = logOf(ASKED, line, answered(3, {}));
    expect(log.exchange(1)).toMatchObject({ status: 'ok', unmatchedSeq: undefined });
    expect(log.row(1).unmatched).toBeUndefined();
    const after = logOf(ASKED, answered(3, {}), asked(4, 'ping'), line);
    expect(after.exchange(3)?.unmatchedSeq).toBeUndefined();
  });

  test('ignores server requests and sent frames', () => {
    const question = got({ jsonrpc: '2.0', id: 3, method: 'roots/list' });
    const log = logOf(question, sent('{"jsonrpc":"2.0","id":"3","result":NaN}'));
    expect(log.exchange(1)?.unmatchedSeq).toBeUndefined();
  });

  test('links both rows', () => {
    const log = logOf(ASKED, answered('3', {}));
    expect([log.row(0).unmatched, log.row(1).unmatched]).toEqual([2, 1]);
  });

  test('ignores lines that only resemble a response', () => {
    for (const line of [
      '{"level":"info","error":"none"}',
      '{"level":"error","id":"req-77","error":"database slow","msg":"trying again"}',
      '{"level":"info","id":12,"result":{"ok":true},"msg":"step done"}',
      '{"error":"none","id":null}',
      '{"method":"x","id":3,"result":NaN',
      '{id: 3}',
      'result: 3',
    ]) {
      expect(found(logOf(ASKED, got(line)))).toBeUndefined();
    }
  });
});

describe('an object printed over several lines', () => {
  const lines = PRETTY.map((line) => got(line));

  test('is one group and matches the request', () => {
    const log = logOf(ASKED, ...lines);
    expect(found(log)).toEqual({
      seq: 2,
      why: `It is printed over ${lines.length} lines, but a message must be one line.`,
    });
    const text = PRETTY.join('\n');
    expect(log.row(1)).toMatchObject({
      name: expect.stringMatching(/^\{ "jsonrpc": "2\.0", "id": 3, "result": \{/),
      printed: { lines: PRETTY.map((_, index) => 2 + index), bytes: text.length },
    });
    expect(log.row(5).printed).toBe(log.row(1).printed);
    expect(new TextDecoder().decode(log.wholeBytes(1))).toBe(text);
    expect(log.state.folded).toBe(lines.length - 1);
  });

  test('continues across stderr, HTTP and sent frames', () => {
    const between = lines.flatMap((line, index) => (index === 3 ? [complained('x'), asked(4, 'ping'), line] : [line]));
    const log = logOf(ASKED, ...between);
    expect(log.printed.objectStartingAt(2)?.lines).toEqual([2, 3, 4, ...PRETTY.slice(3).map((_, index) => 7 + index)]);
    expect(log.exchange(1)?.unmatchedSeq).toBe(2);
  });

  test('explains both that it has several lines and that it has a NaN', () => {
    const nan = PRETTY.map((line) => got(line.replace('"n": 1', '"n": NaN')));
    expect(found(logOf(ASKED, ...nan))?.why).toMatch(/^It is printed over \d+ lines, .+ `NaN` is not JSON\.$/);
  });

  test('ends at a message and at the size limit', () => {
    const broken = logOf(ASKED, ...lines.slice(0, -1), answered(3, {}), ...lines.slice(-1));
    expect(broken.state.folded).toBe(0);
    const flood = new Log('flood');
    flood.append(framesOf([ASKED, ...Array.from({ length: 50_010 }, () => got('{'))]));
    expect(flood.state.folded).toBe(0);
  });

  test('does not swallow a line that starts a message', () => {
    const log = logOf(ASKED, got('{'), got('{"jsonrpc":"2.0","id":3,"result":NaN}'), got('}'));
    expect(found(log)).toEqual({ seq: 3, why: '`NaN` is not JSON.' });
    expect(log.state.folded).toBe(0);
  });

  test('ends with the process', () => {
    const exit = happened({ event: 'exit', code: 1, signal: null });
    const log = logOf(ASKED, got('{'), exit, got('"a": 1'), got('}'));
    expect(log.state.folded).toBe(0);
  });

  test('keeps log lines in brackets single', () => {
    const log = logOf(ASKED, got('[INFO] started'), got('{"level":"info"}'), got('[1,'), got('2]'), got('{}'));
    expect(log.state.folded).toBe(0);
  });

  test('is the same when the log arrives in portions', () => {
    const frames = framesOf([ASKED, ...lines]);
    const whole = logOf(ASKED, ...lines);
    const one = new Log('c1');
    for (const frame of frames) one.append([frame]);
    expect(frames.map((_, index) => one.row(index))).toEqual(frames.map((_, index) => whole.row(index)));
  });
});
