import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { got, logOf } from '@/lib/store/test-frames';
import { QuestionOrigin } from './question-detail';

const log = logOf(got({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} }));
const draw = (claimed: string | undefined) =>
  renderToStaticMarkup(
    <QuestionOrigin log={log} question={log.state.inbox.waiting[0]!} server="mine" claimed={claimed} />,
  ).replace(/<[^>]*>/g, '');

test('who asks is who the person added; another name is only what it calls itself', () => {
  expect(draw('Your Bank')).toBe('mine (calls itself “Your Bank”) asks while no call of yours is under way.');
  expect(draw('mine')).toBe(draw(undefined));
});
