import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { got, logOf } from '@/lib/store/test-frames';
import { QuestionOrigin } from './question-detail';

const log = logOf(got({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} }));
const draw = (claimed: string | undefined) =>
  renderToStaticMarkup(
    <QuestionOrigin log={log} question={log.state.inbox.waiting[0]!} server="mine" claimed={claimed} />,
  ).replace(/<[^>]*>/g, '');

test('names the server as the user added it, and its own name only as a claim', () => {
  expect(draw('Your Bank')).toBe('mine (calls itself “Your Bank”) asks this outside of any call.');
  expect(draw('mine')).toBe(draw(undefined));
});
