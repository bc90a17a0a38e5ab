import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { CatalogueChange } from '@/lib/replay/compare/catalogue-diff';
import { Log } from '@/lib/store/log';
import { CatalogueChanges, type ComparedSide, type ComparedSides } from './differences';

const change = (name: string): CatalogueChange => ({
  about: 'tool',
  name,
  change: 'changed',
  breaking: undefined,
  sentence: 'It is another.',
  beforeSeq: undefined,
  afterSeq: undefined,
});
const side = (label: ComparedSide['label']): ComparedSide => ({ id: label, label, title: label, log: new Log(label) });
const sides: ComparedSides = [side('before'), side('after')];

test.each([
  ['to many things', (n: number) => `tool ${n}`],
  ['to one thing', () => 'tool'],
])('renders 2,000 changes %s a hundred at a time', (_, name) => {
  const changes = Array.from({ length: 2000 }, (_, n) => change(name(n)));
  const markup = renderToStaticMarkup(<CatalogueChanges changes={changes} sides={sides} />);
  expect(markup.match(/It is another\./g)).toHaveLength(100);
  expect(markup).toContain('Show 100 more');
});
