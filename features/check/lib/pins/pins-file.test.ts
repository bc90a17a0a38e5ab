import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  type AcceptedAnswer,
  acceptAnswers,
  addCall,
  deleteCall,
  PinsError,
  pinKeys,
  readPins,
  renameCall,
  writePins,
} from './pins-file';
import { pinVariables } from './play-pins';
import { fillValues } from './references';

test('reads a file as 0.1.0 wrote it, and refuses a newer format', () => {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/pins-0.1.0.json'), 'utf8');
  const [pin] = readPins(text);
  expect(JSON.parse(pin!.params!)).toEqual({ name: 'temperature', arguments: { room: 'hall' } });
  expect(pin).toMatchObject({ method: 'tools/call', accepted: { kind: 'result' } });
  expect(() => readPins(text.replace('"pins": 1', '"pins": 2'))).toThrow(
    'Its format is version 2, and this mcp-inspect reads version 1: update mcp-inspect.',
  );
});

const file = (...calls: readonly unknown[]) => JSON.stringify({ pins: 1, calls });

const acceptOne = (text: string, index: number, answer: AcceptedAnswer) =>
  acceptAnswers(text, new Map([[index, answer]]));

const LAID_OUT = `{
  "pins": 1,
  "calls": [
    { "tool": "time" },
    {
      "tool": "add",
      "arguments": { "a": 1.0 },
      "error": { "code": -1 }
    }
  ]
}
`;

describe('a pins file', () => {
  test('has calls in a long and in short forms', () => {
    const pins = readPins(
      file(
        { method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } },
        { tool: 'add', arguments: { a: 1 } },
        { tool: 'time' },
        { prompt: 'review', arguments: { code: 'x' } },
        { resource: 'file:///a b' },
        { name: 'is it there', method: 'ping' },
      ),
    );
    expect(pins.map(({ name, method, params }) => [name, method, params])).toEqual([
      ['tools/call add', 'tools/call', '{"name":"add","arguments":{"a":1}}'],
      ['tools/call add', 'tools/call', '{"name":"add","arguments":{"a":1}}'],
      ['tools/call time', 'tools/call', '{"name":"time"}'],
      ['prompts/get review', 'prompts/get', '{"name":"review","arguments":{"code":"x"}}'],
      ['resources/read file:///a b', 'resources/read', '{"uri":"file:///a b"}'],
      ['is it there', 'ping', undefined],
    ]);
  });

  test('keeps digits and order of params as written', () => {
    const text = '{"pins":1,"calls":[{"tool":"n","arguments":{"b":12345678901234567890,"a":1.0,"a":2}}]}';
    expect(readPins(text)[0]!.params).toBe('{"name":"n","arguments":{"b":12345678901234567890,"a":1.0,"a":2}}');
  });

  test.each([
    ['no', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['{}', 'no `"pins": 1`'],
    ['{"pins":2}', 'version 2'],
    ['{"pins":1}', '`calls` is not an array'],
    [file(1), 'calls[0] is not an object'],
    [file({}), 'needs one of'],
    [file({ tool: 'a', method: 'b' }), 'needs one of'],
    [file({ tool: 1 }), 'calls[0].tool is not a string'],
    [file({ method: 'ping', arguments: {} }), 'put them into `params`'],
    [file({ tool: 'a', params: {} }), 'has `params` beside `tool`'],
    [file({ tool: 'a', ignores: [] }), 'unknown member `ignores`'],
    [file({ tool: 'a', save: { id: '$..id' } }), 'calls[0].save.id is not one place'],
    [file({ tool: 'a', save: { 'a b': '$' } }), 'not a name'],
    [file({ tool: 'a', ignore: ['x'] }), 'calls[0].ignore[0] is not a place'],
    [file({ tool: 'a', result: {}, error: {} }), 'a `result` and an `error`'],
    [file({ tool: 'a', save: { id: '$.a' } }, { tool: 'b', save: { id: '$.a' } }), 'calls[1] saves `id`'],
  ])('%s is refused: %s', (text, why) => {
    expect(() => readPins(text)).toThrow(PinsError);
    expect(() => readPins(text)).toThrow(why);
  });
});

describe('an accepted answer', () => {
  test('replaces the old one, and leaves the rest as written', () => {
    const text = acceptOne(LAID_OUT, 1, { kind: 'result', text: '{"content":[],"n":12345678901234567890}' });
    expect(text).toBe(`{
  "pins": 1,
  "calls": [
    { "tool": "time" },
    {
      "tool": "add",
      "arguments": { "a": 1.0 },
      "result": {
        "content": [],
        "n": 12345678901234567890
      }
    }
  ]
}
`);
    expect(acceptOne(text, 1, { kind: 'error', text: '{"code":-1}' })).toContain('"code": -1\n');
    expect(readPins(text)[1]!.accepted?.kind).toBe('result');
  });

  test('is added where there was none', () => {
    const text = acceptOne(LAID_OUT, 0, { kind: 'result', text: '{"a":"$& \\u0000answer"}' });
    expect(readPins(text)[0]!.accepted?.text).toContain('"$& \\u0000answer"');
  });

  test.each([
    ['laid out', 2],
    ['on one line', undefined],
  ])('can be one of many, and the file is read once: %s', (_, indent) => {
    const calls = Array.from({ length: 100 }, (_each, n) => ({ tool: `t${n}`, result: { text: 'x'.repeat(500) } }));
    const text = JSON.stringify({ calls: 'earlier', pins: 1 }, undefined, indent).replace(
      '"earlier"',
      JSON.stringify(calls, undefined, indent),
    );
    const answers = new Map(calls.map((_each, n) => [n, { kind: 'result', text: `{"n":${n}}` } as const]));
    answers.delete(7);
    const parse = vi.spyOn(JSON, 'parse');
    const written = acceptAnswers(text, answers);
    const parsed = parse.mock.calls.reduce((sum, [json]) => sum + json.length, 0);
    parse.mockRestore();
    expect(parsed).toBeLessThan(3 * text.length);
    expect(readPins(written).map(({ name, accepted }) => [name, JSON.parse(accepted!.text)])).toEqual(
      calls.map(({ tool, result }, n) => [`tools/call ${tool}`, n === 7 ? result : { n }]),
    );
  });
});

describe('a change of the file', () => {
  test('adds a call at the end, with its digits', () => {
    const text = addCall(LAID_OUT, {
      method: 'tools/call',
      params: '{"name":"big","arguments":{"n":12345678901234567890}}',
      accepted: { kind: 'result', text: '{"content":[]}' },
    });
    expect(text.startsWith(LAID_OUT.slice(0, LAID_OUT.lastIndexOf('}\n  ]')))).toBe(true);
    expect(text).toContain('    {\n      "tool": "big",\n      "arguments": {\n        "n": 12345678901234567890');
    expect(readPins(text)).toHaveLength(3);
    expect(readPins(addCall(writePins([]), { method: 'ping', params: undefined, accepted: undefined }))).toHaveLength(
      1,
    );
  });

  test('renames and deletes a call, and leaves the rest as written', () => {
    const named = renameCall(LAID_OUT, 0, 'what “time” is it');
    expect(named).toBe(LAID_OUT.replace('"time" }', '"time", "name": "what “time” is it" }'));
    expect(renameCall(named, 0, '')).toBe(LAID_OUT);
    expect(deleteCall(LAID_OUT, 0)).toBe(LAID_OUT.replace('{ "tool": "time" },\n    ', ''));
  });

  test('attack: text that looks like the one that stands for an answer stays', () => {
    const text = renameCall(LAID_OUT, 0, '\u0000');
    expect(readPins(acceptOne(text, 1, { kind: 'result', text: '{}' }))[0]!.name).toBe('\u0000');
  });
});

test('keys stay when calls are renamed, moved or spelt differently, and tell equal calls apart', () => {
  const keys = (...calls: readonly object[]) => pinKeys(readPins(JSON.stringify({ pins: 1, calls })), (text) => text);
  const [a, b] = [{ tool: 'a', arguments: { x: 1, y: 2 } }, { tool: 'b' }];
  const same = { name: 'n', method: 'tools/call', params: { arguments: { y: 2, x: 1 }, name: 'a' }, result: {} };
  expect(keys(b, same)).toEqual(keys(a, b).toReversed());
  expect(keys(a, same)[1]).toBe(`${keys(a)[0]}.2`);
});

test.each([
  '"${env:HOME} $${b} ${b}"',
  String.raw`"\u0024{env:HOME} in ${'${'}"`,
  String.raw`"\u0024\u007benv:HOME\u007d"`,
  String.raw`"${'${'}env:HO\u004dE}"`,
])('attack: a sent argument that looks like a reference is sent again as it was: %s', (argument) => {
  const params = `{"name":"t","arguments":{"a":${argument},${argument}:1}}`;
  const pins = readPins(writePins([{ method: 'tools/call', params, accepted: undefined }]));
  expect([...pinVariables(pins)]).toEqual([]);
  const sent = fillValues(pins[0]!.params!, new Map([['b', '1']]), () => 'secret').text;
  expect(JSON.parse(sent)).toEqual(JSON.parse(params));
});

test('a written file has short forms where nothing is lost', () => {
  const text = writePins([
    { method: 'tools/call', params: '{"name":"add","arguments":{"a":1.0}}', accepted: { kind: 'result', text: '{}' } },
    { method: 'tools/call', params: '{"name":"add","_meta":{"a":1}}', accepted: undefined },
    { method: 'resources/read', params: '{"uri":"a:b"}', accepted: undefined },
    { method: 'ping', params: undefined, accepted: { kind: 'error', text: '{"code":1}' } },
  ]);
  expect(JSON.parse(text)).toEqual({
    pins: 1,
    calls: [
      { tool: 'add', arguments: { a: 1 }, result: {} },
      { method: 'tools/call', params: { name: 'add', _meta: { a: 1 } } },
      { resource: 'a:b' },
      { method: 'ping', error: { code: 1 } },
    ],
  });
  expect(text).toContain('"a": 1.0');
  expect(readPins(text)).toHaveLength(4);
});
