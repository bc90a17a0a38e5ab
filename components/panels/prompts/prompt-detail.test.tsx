import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { setUpClient } from '@/lib/client/test-client';
import { ClientProvider } from '@/lib/hooks/client';
import { view } from '@/lib/schema/view';
import { Log } from '@/lib/store/log';
import { answered, asked, complained, framesOf } from '@/lib/store/test-frames';
import { PromptDetail, promptSchema } from './prompt-detail';

const FRAMES = framesOf([
  asked(1, 'prompts/list'),
  answered(1, { prompts: [{ name: 'hail', arguments: [{ name: 'ship', required: true }] }] }),
  asked(2, 'prompts/get', { name: 'hail', arguments: { ship: 'Ada' } }),
  answered(2, { messages: [] }),
  complained('the newest one'),
]);

/** Renders a past moment, which shows the arguments that were sent. */
function draw(log: Log): string {
  vi.spyOn(log, 'whole', 'get').mockReturnValue(new Log('c1'));
  return renderToStaticMarkup(
    <ClientProvider client={setUpClient().client}>
      <PromptDetail log={log} prompt={log.state.prompts.items[0]!} />
    </ClientProvider>,
  );
}

test('fetches arguments that the page dropped, or says that they are unavailable', () => {
  const here = new Log('c1');
  here.append(FRAMES);
  expect(draw(here)).toContain('>Ada</textarea>');
  const away = new Log('c1', { held: 0, again: 1000 });
  for (const frame of FRAMES) away.append([frame]);
  const coming = draw(away);
  expect(coming.match(/Fetching this old message/g)).toHaveLength(2);
  expect(coming).not.toContain('required');
  away.wanted.settleRange({ from: 3, to: 3 }, false);
  expect(draw(away)).toContain('can’t fetch it any more');
});

test('arguments become string fields; malformed ones are skipped', () => {
  const schema = promptSchema({
    name: 'p',
    arguments: [{ name: 'city', required: true }, { name: '__proto__' }, { name: 7 }, null, 'x'],
  });
  const node = view(schema, schema);
  expect(node.kind === 'object' && node.properties.map(({ name, required }) => [name, required])).toEqual([
    ['city', true],
    ['__proto__', false],
  ]);
});

test.each([[undefined], [null], [{}], ['x']])('arguments %j give no fields', (declared) => {
  const schema = promptSchema({ arguments: declared });
  const node = view(schema, schema);
  expect(node.kind === 'object' && node.properties).toEqual([]);
});
