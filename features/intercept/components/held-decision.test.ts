import { expect, test } from 'vitest';
import { canJoin, delayOf, editableText, heldSubject, proposalOf, sentText } from './held-decision';
import type { HeldEdit } from './held-edits';

const ORIGINAL = '{"jsonrpc":"2.0", "id":1,"method":"ping"}';
const edit = (changes: Partial<HeldEdit> = {}): HeldEdit => ({
  instead: 'Message',
  joins: true,
  code: '-32603',
  message: 'no',
  data: '',
  ...changes,
});

test('an unchanged message is released with its own bytes', () => {
  expect(proposalOf(edit(), ORIGINAL, 'ping')).toEqual({ decision: { do: 'release' } });
  expect(proposalOf(edit({ text: ORIGINAL }), ORIGINAL, 'ping')).toEqual({ decision: { do: 'release' } });
});

test('a message opens with a member on each line, and other text as it is', () => {
  expect(editableText('{"id":1.0,"id":9007199254740993}')).toBe('{\n  "id": 1.0,\n  "id": 9007199254740993\n}');
  expect(editableText('{"id": oops')).toBe('{"id": oops');
});

test('other lines alone do not edit a message, unless the user wants to send them', () => {
  const lines = '{\n "jsonrpc": "2.0",\n\n "id": 1, "method": "ping" }\n';
  for (const text of [editableText(ORIGINAL), lines])
    expect(proposalOf(edit({ text }), ORIGINAL, 'ping')).toEqual({ decision: { do: 'release' } });
  expect(proposalOf(edit({ text: editableText(ORIGINAL).replace('1', '2') }), ORIGINAL, 'ping')).toEqual({
    decision: { do: 'release', text: '{"jsonrpc":"2.0","id":2,"method":"ping"}' },
  });
  expect(proposalOf(edit({ text: lines, joins: false }), ORIGINAL, 'ping')).toEqual({
    decision: { do: 'release', text: lines },
  });
  // A message over several lines is passed on with them.
  expect(proposalOf(edit({ text: lines }), editableText(ORIGINAL), 'ping')).toEqual({ decision: { do: 'release' } });
});

test('an edited message is released as typed, valid or not', () => {
  for (const text of ['{"id": 2}', '{"id": 2', ''])
    expect(proposalOf(edit({ text }), ORIGINAL, 'ping')).toEqual({ decision: { do: 'release', text } });
});

test('lines of JSON are joined, unless the user wants them, and those of other text never', () => {
  const text = '{\n  "id": 1.0,\n  "a": "x  y"\n}';
  expect(sentText(edit({ text }), ORIGINAL)).toBe('{"id":1.0,"a":"x  y"}');
  expect(sentText(edit({ text, joins: false }), ORIGINAL)).toBe(text);
  expect(canJoin('{\n')).toBe(false);
  expect(sentText(edit({ text: '{\n' }), ORIGINAL)).toBe('{\n');
});

test('a request is answered with a result or an error, if they are valid', () => {
  expect(proposalOf(edit({ instead: 'Result' }), ORIGINAL, 'ping')).toEqual({
    decision: { do: 'result', result: '{}' },
  });
  expect(proposalOf(edit({ instead: 'Result', result: '{' }), ORIGINAL, 'ping').faults?.result).toContain('not JSON');
  expect(proposalOf(edit({ instead: 'Error', data: ' 1.0 ' }), ORIGINAL, 'ping')).toEqual({
    decision: { do: 'error', code: -32603, message: 'no', data: '1.0' },
  });
  expect(proposalOf(edit({ instead: 'Error', code: '' }), ORIGINAL, 'ping').faults?.code).toBeDefined();
});

test.each([
  ['3000', 3000],
  [' 0 ', 0],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['99999999999', undefined],
])('a delay of “%s” ms is %s', (text, ms) => {
  expect(delayOf(text)).toBe(ms);
});

test.each([
  ['{"params":{"name":"echo"}}', 'echo'],
  ['{"params":{"uri":"file:///a"}}', 'file:///a'],
  ['{"params":{"name":1}}', undefined],
  ['{"params":[]}', undefined],
  ['{', undefined],
])('%s is about %s', (text, subject) => {
  expect(heldSubject(text)).toBe(subject);
});
