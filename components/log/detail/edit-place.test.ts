import { expect, test } from 'vitest';
import { answered, asked, happened, logOf, sent } from '@/lib/store/test-frames';
import { editPlace } from './edit-place';

const log = logOf(
  happened({
    event: 'start',
    at: '',
    name: 'far',
    transport: 'http',
    url: 'http://127.0.0.1:1/',
    headerNames: [],
    protocol: 'auto',
  }),
  asked(1, 'tools/list'),
  answered(1, { tools: [{ name: 'add', inputSchema: { type: 'object' } }] }),
  sent('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"n":18446744073709551615}}}'),
  asked(3, 'tools/call', { name: 'gone' }),
  sent('not JSON'),
);
const place = (seq: number) => {
  const { text, ...rest } = { text: () => '', ...editPlace(log, log.row(seq - 1)) };
  return { ...rest, text: text() };
};

test('a call of a listed tool is edited in its form, with the digits that were sent', () => {
  expect(place(4)).toEqual({
    panel: 'tools',
    item: 'add',
    document: 'tool far add',
    text: '{\n  "n": 18446744073709551615\n}',
  });
});

test('what has no form is edited as text, a request under an id of its own', () => {
  expect(place(5).panel).toBe('raw');
  expect(JSON.parse(place(5).text)).toEqual({
    jsonrpc: '2.0',
    id: 'raw-5',
    method: 'tools/call',
    params: { name: 'gone' },
  });
  expect(place(6)).toEqual({ panel: 'raw', text: 'not JSON' });
});
