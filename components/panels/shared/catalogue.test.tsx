import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Gap } from '@/lib/hooks/connections';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import { ListingNote } from './catalogue';

const SHARED = { what: 'tools', capability: 'tools', onCancel: () => {} };

test.each<[ConnectionState, Gap | undefined, string]>([
  ['starting', undefined, 'Waiting for the server'],
  ['open', undefined, 'No tools yet'],
  ['closed', undefined, 'The client did not request'],
  ['closed', 'part', 'No list of tools in this part of the recording'],
  ['closed', 'damage', 'No list of tools in the readable part of the recording'],
])('says why there is no list on a connection that is %s with gap %s', (state, gap, words) => {
  const listing = { status: 'none', items: [], seqs: [], supported: true } as const;
  const markup = renderToStaticMarkup(
    <ListingNote {...SHARED} listing={listing} state={state} gap={gap} past={false} />,
  );
  expect(markup).toContain(words);
});

test.each<ConnectionState>(['starting', 'open'])(
  'waits for nothing at a past moment of a connection that is %s',
  (state) => {
    const listing = { status: 'none', items: [], seqs: [], supported: undefined } as const;
    const markup = renderToStaticMarkup(
      <ListingNote {...SHARED} listing={listing} state={state} gap={undefined} past />,
    );
    expect(markup).toContain('No tools listed yet at this moment');
    expect(markup).not.toContain('animate-spin');
  },
);
