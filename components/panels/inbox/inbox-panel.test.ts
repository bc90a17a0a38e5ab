import { expect, test } from 'vitest';
import { got, logOf } from '@/lib/store/test-frames';
import { shownQuestion } from './inbox-panel';

const asks = (id: number) => got({ jsonrpc: '2.0', id, method: 'elicitation/create', params: {} });
const withdraws = (id: number) => got({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });

test('keeps showing a withdrawn question while another waits', () => {
  const shown = shownQuestion(logOf(asks(1), asks(2)).state.inbox, undefined);
  expect(shown).toMatchObject({ id: 1, status: 'waiting' });
  const after = logOf(asks(1), asks(2), withdraws(1)).state.inbox;
  expect(shownQuestion(after, shown?.key)).toMatchObject({ id: 1, status: 'withdrawn' });
  expect(shownQuestion(after, 'q9')).toBeUndefined();
});
