import { expect, test } from 'vitest';
import { answered, asked, complained, got, logOf } from '@/lib/store/test-frames';
import { outputBetween } from './output-during-call';

test('counts the lines on stderr and the lines on stdout that are not MCP, only those during the call', () => {
  const log = logOf(
    complained('before'),
    asked(1, 'tools/call', { name: 'list' }),
    got('DEBUG: querying'),
    complained('one'),
    complained('two'),
    answered(1, { content: [] }),
    complained('after'),
  );
  expect(outputBetween(log, 2, 6)).toEqual({ stderr: { count: 2, first: 4 }, stdout: { count: 1, first: 3 } });
});
