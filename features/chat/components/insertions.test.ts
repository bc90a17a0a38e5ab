import { describe, expect, test } from 'vitest';
import type { ServerOffer } from '@/features/chat/lib/chat-api';
import { insertionsFor, wordBefore } from './insertions';

const OFFER: ServerOffer = {
  connection: 'c1',
  server: 'notes',
  tools: [],
  prompts: [
    { name: 'summary', description: 'Sums a note up', arguments: [{ name: 'style', required: true }, { odd: 1 }] },
    { name: 'note-summary' },
  ],
  resources: [{ uri: 'file:///a.md', name: 'A' }],
};

describe('wordBefore', () => {
  test('finds a word that begins with / or @ before the caret', () => {
    expect(wordBefore('/sum', 4)).toEqual({ kind: 'prompt', text: 'sum', start: 0 });
    expect(wordBefore('look at @a and', 10)).toEqual({ kind: 'resource', text: 'a', start: 8 });
  });

  test('paths, addresses and mail are none', () => {
    for (const text of ['a/b', 'http://x', 'me@example.com', 'plain']) {
      expect(wordBefore(text, text.length), text).toBeUndefined();
    }
  });
});

describe('insertionsFor', () => {
  test('names that begin with the word come first', () => {
    const found = insertionsFor([OFFER], { kind: 'prompt', text: 'sum', start: 0 });
    expect(found.map(({ name }) => name)).toEqual(['summary', 'note-summary']);
    expect(found[0]?.arguments).toEqual([{ name: 'style', description: '', required: true }]);
  });

  test('resources are found by URI and by name', () => {
    expect(insertionsFor([OFFER], { kind: 'resource', text: 'a.md', start: 0 })).toHaveLength(1);
    expect(insertionsFor([OFFER], { kind: 'resource', text: 'zzz', start: 0 })).toHaveLength(0);
  });
});
