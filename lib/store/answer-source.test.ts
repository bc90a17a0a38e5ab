import { expect, test } from 'vitest';
import { entrySource, messageSource } from './answer-source';
import { asked, got, logOf } from './test-frames';

const TOOL = '{"name":"a","inputSchema":{"type":"object","maximum":18446744073709551615,"maximum":1.0}}';
const PAGE = `{"jsonrpc":"2.0","id":1,"result":{"tools":[7,${TOOL}]}}`;

test('a listed item is found where it was listed, as it was written', () => {
  const log = logOf(asked(1, 'tools/list'), got(PAGE));
  const entry = log.state.tools.items[1]!;
  expect(entrySource(log, 'tools', entry)?.text).toBe(TOOL);
  expect(entrySource(log, 'prompts', entry)).toBeUndefined();
});

test('out of a batch, the message with the id', () => {
  const log = logOf(got(`[3,{"jsonrpc":"2.0","id":"1","result":0},${PAGE}]`));
  expect(messageSource(log, 1, 1)?.text).toBe(PAGE);
  expect(messageSource(log, 1, 99)?.member('id')?.value).toBe('1');
});

test('what is no message has none', () => {
  const log = logOf(got('7'), got('[]'), got('nonsense'));
  for (const seq of [1, 2, 3]) expect(messageSource(log, seq, 1)).toBeUndefined();
});
