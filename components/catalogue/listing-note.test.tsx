import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import { ListingNote } from './listing-note';

test.each<[ConnectionState, string]>([
  ['starting', 'Waiting for the server'],
  ['open', 'No tools yet'],
  ['closed', 'The tools were not listed'],
])('a list that was never asked for, of a connection that is %s, says so', (state, words) => {
  const listing = { status: 'none', items: [], seqs: [], supported: true } as const;
  const markup = renderToStaticMarkup(<ListingNote listing={listing} what="tools" capability="tools" state={state} />);
  expect(markup).toContain(words);
});
