import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Log } from '@/lib/store/log';
import { asked, framesOf } from '@/lib/store/test-frames';
import { HttpFrameView } from './http-view';

test('a message of which the page has a skim is on its way, and one that is gone says so', () => {
  const request = { kind: 'request', exchange: 1, method: 'POST', url: 'http://localhost/mcp', headers: [], bytes: 9 };
  const [http, message] = framesOf([asked('u', 'x'), asked(1, 'tools/call', { name: 'x' })]);
  const log = new Log('c1');
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  for (const frame of [{ ...http!, channel: 'http', bytes } as const, { ...message!, skimOf: 500 }])
    log.append([frame]);
  const shown = () => renderToStaticMarkup(<HttpFrameView log={log} row={log.row(0)} onSelect={vi.fn()} />);
  expect(shown()).toContain('it is on its way');
  log.wanted.settleRange({ from: 2, to: 2 }, false);
  expect(shown()).toContain('it can not be had any more');
});
