import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { answered, asked, got, logOf } from '@/lib/store/test-frames';
import { ExchangeView } from './exchange-view';

test('renders and parses only the parts in view', () => {
  const progress = { progressToken: 1, progress: 1, message: 'on the way' };
  const note = got({ jsonrpc: '2.0', method: 'notifications/progress', params: progress });
  const request = asked(1, 'tools/call', { name: 'x', _meta: { progressToken: 1 } });
  const log = logOf(request, ...Array.from({ length: 2000 }, () => note));
  const read = vi.spyOn(log, 'json');
  const markup = renderToStaticMarkup(
    <ExchangeView log={log} request={1} at={1} invalidOf={() => undefined} onSelect={vi.fn()} />,
  );
  expect(markup).toContain('on the way');
  expect(markup).toContain('aria-setsize="2001"');
  expect(markup.match(/<li/g)?.length).toBeLessThan(50);
  expect(read.mock.calls.length).toBeLessThan(50);
});

test('lists a second response and labels it once', () => {
  const log = logOf(asked(1, 'tools/call', { name: 'x' }), answered(1, {}), answered(1, {}));
  const markup = renderToStaticMarkup(
    <ExchangeView log={log} request={1} at={3} invalidOf={() => undefined} onSelect={vi.fn()} />,
  );
  expect(markup.match(/<li/g)).toHaveLength(3);
  expect(markup.match(/second response/g)).toHaveLength(1);
});

test('shows a result that breaks its schema as an error', () => {
  const log = logOf(asked(1, 'tools/call', { name: 'x' }), answered(1, {}));
  const invalid = { id: 1, field: 'content', sentence: 'Invalid result: content is missing', more: 0 };
  const invalidOf = (seq: number) => (seq === 2 ? invalid : undefined);
  const markup = renderToStaticMarkup(
    <ExchangeView log={log} request={1} at={2} invalidOf={invalidOf} onSelect={vi.fn()} />,
  );
  expect(markup).toContain('Invalid result: content is missing');
  expect(markup).toMatch(/text-error"> error</);
});
