import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { legacy, problemsIn } from '@/lib/problems/test-sessions';
import { got } from '@/lib/store/test-frames';
import { ProblemsView } from './problems-view';

test('links the specification once for each problem', () => {
  const problems = problemsIn([...legacy(), got('junk')]);
  const markup = renderToStaticMarkup(<ProblemsView problems={problems} onSelect={() => {}} onField={() => {}} />);
  expect(markup).toContain(`href="${problems[0]!.url}"`);
  expect(markup.replace(/<[^>]*>/g, '|')).not.toContain('https://');
  expect(markup.match(/Specification/g)).toHaveLength(1);
});
