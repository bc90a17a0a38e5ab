import { expect, test } from 'vitest';
import { connected, MODERN } from './test-client.mjs';

test('mutter writes to stderr, and only there', async () => {
  const client = await connected(MODERN);
  await client.call('mutter', { lines: 3, words: 'hm' });
  await client.until(() => client.stderr.includes('hm (3)'));
  expect(client.stderr.match(/\[keeper\] hm/g)).toHaveLength(3);
  expect(client.junk).toEqual([]);
});

test('shout prints a line to stdout that is no message', async () => {
  const client = await connected('2025-11-25');
  await client.call('shout', { words: 'Ahoy!' });
  expect(client.junk).toEqual(['Ahoy!']);
});

test.each([
  ['exit', [1, null]],
  ['signal', [null, 'SIGKILL']],
  ['exception', [1, null]],
])('fall_into_sea by %s ends the server without an answer', async (how, end) => {
  const client = await connected('2025-11-25');
  const id = client.send('tools/call', { name: 'fall_into_sea', arguments: { how } });
  expect(await client.exit).toEqual(end);
  await client.until(() => client.stderr.includes(how === 'exception' ? 'Man overboard' : 'mind the ed'));
  expect(client.messages.some((message) => message.id === id)).toBe(false);
});
