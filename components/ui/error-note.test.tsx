import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { IconButton } from './button';
import { ErrorNote, Sentence } from './notices';

const FAILURE = { code: 'server-exited', message: 'The server exited with code 1.', advice: 'Fix this error.' };

test('the line with which a server names the cause comes first', () => {
  const html = renderToStaticMarkup(<ErrorNote failure={FAILURE} said="Error: no key" />);
  const [said, message, advice] = ['Error: no key', FAILURE.message, FAILURE.advice].map((text) => html.indexOf(text));
  expect(said).toBeGreaterThan(-1);
  expect(said).toBeLessThan(message!);
  expect(message).toBeLessThan(advice!);
});

test('hidden characters of what is quoted are written out, in sentences and in the names of buttons', () => {
  const quoted = { ...FAILURE, message: 'There is no `a\u202eb`.', advice: 'Rename it\u200b.' };
  const drawn = [
    <ErrorNote key="note" failure={quoted} />,
    <Sentence key="sentence" text="`\u2066x`" />,
    <IconButton key="button" label={'Remove \u202ex'}>
      x
    </IconButton>,
  ];
  const html = drawn.map((one) => renderToStaticMarkup(one)).join('');
  expect(html).not.toMatch(/[\u200b\u202e\u2066]/);
  for (const written of ['a\\u202eb', 'it\\u200b', '\\u2066x', 'Remove \\u202ex']) expect(html).toContain(written);
});
