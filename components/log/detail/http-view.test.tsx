import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Log } from '@/lib/store/log';
import { asked, framesOf } from '@/lib/store/test-frames';
import { HttpFrameView } from './http-view';

test('says whether a message that is not loaded is being loaded or gone', () => {
  const request = { kind: 'request', exchange: 1, method: 'POST', url: 'http://localhost/mcp', headers: [], bytes: 9 };
  const [http, message] = framesOf([asked('u', 'x'), asked(1, 'tools/call', { name: 'x' })]);
  const log = new Log('c1');
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  for (const frame of [{ ...http!, channel: 'http', bytes } as const, { ...message!, skimOf: 500 }])
    log.append([frame]);
  const shown = () => renderToStaticMarkup(<HttpFrameView log={log} row={log.row(0)} onSelect={vi.fn()} />);
  expect(shown()).toContain('loading');
  log.wanted.settleRange({ from: 2, to: 2 }, false);
  expect(shown()).toContain('no longer available');
});
