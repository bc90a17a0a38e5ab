import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ErrorNote } from './notices';

const FAILURE = { code: 'server-exited', message: 'The server exited with code 1.', advice: 'Fix this error.' };

test('the line with which a server names the cause comes first', () => {
  const html = renderToStaticMarkup(<ErrorNote failure={FAILURE} said="Error: no key" />);
  const [said, message, advice] = ['Error: no key', FAILURE.message, FAILURE.advice].map((text) => html.indexOf(text));
  expect(said).toBeGreaterThan(-1);
  expect(said).toBeLessThan(message!);
  expect(message).toBeLessThan(advice!);
});
