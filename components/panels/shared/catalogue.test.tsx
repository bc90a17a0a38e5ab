import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Gap } from '@/lib/hooks/connections';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import { ListingNote } from './catalogue';

test.each<[ConnectionState, Gap | undefined, string]>([
  ['starting', undefined, 'Waiting for the server'],
  ['open', undefined, 'No tools yet'],
  ['closed', undefined, 'Nobody asked the server'],
  ['closed', 'part', 'No list of tools is in this part of the recording'],
  ['closed', 'damage', 'No list of tools is among what could be read of the recording'],
])('a list that is not there, of a connection that is %s with gap %s, says why', (state, gap, words) => {
  const listing = { status: 'none', items: [], seqs: [], supported: true } as const;
  const markup = renderToStaticMarkup(
    <ListingNote listing={listing} what="tools" capability="tools" state={state} gap={gap} past={false} />,
  );
  expect(markup).toContain(words);
});

test.each<ConnectionState>(['starting', 'open'])('in the past of one that is %s, nothing is waited for', (state) => {
  const listing = { status: 'none', items: [], seqs: [], supported: undefined } as const;
  const markup = renderToStaticMarkup(
    <ListingNote listing={listing} what="tools" capability="tools" state={state} gap={undefined} past />,
  );
  expect(markup).toContain('The server had listed no tools yet at this moment');
  expect(markup).not.toContain('animate-spin');
});
