import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { setUpClient } from '@/lib/client/test-client';
import { ClientProvider } from '@/lib/hooks/client-provider';
import { Log } from '@/lib/store/log';
import { answered, asked, complained, framesOf } from '@/lib/store/test-frames';
import { PromptDetail } from './prompt-detail';

const FRAMES = framesOf([
  asked(1, 'prompts/list'),
  answered(1, { prompts: [{ name: 'hail', arguments: [{ name: 'ship', required: true }] }] }),
  asked(2, 'prompts/get', { name: 'hail', arguments: { ship: 'Ada' } }),
  answered(2, { messages: [] }),
  complained('the newest one'),
]);

/** Of the past, so that it shows what was sent. */
function draw(log: Log): string {
  vi.spyOn(log, 'whole', 'get').mockReturnValue(new Log('c1'));
  return renderToStaticMarkup(
    <ClientProvider client={setUpClient().client}>
      <PromptDetail log={log} prompt={log.state.prompts.items[0]!} />
    </ClientProvider>,
  );
}

test('arguments that left the page are not shown as none: they are fetched, or are not to be had', () => {
  const here = new Log('c1');
  here.append(FRAMES);
  expect(draw(here)).toContain('>Ada</textarea>');
  const away = new Log('c1', { held: 0, again: 1000 });
  for (const frame of FRAMES) away.append([frame]);
  const coming = draw(away);
  expect(coming.match(/It is being fetched…/g)).toHaveLength(2);
  expect(coming).not.toContain('required');
  away.wanted.answered({ from: 3, to: 3 }, false);
  expect(draw(away)).toContain('no longer available');
});
