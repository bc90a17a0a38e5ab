import { expect, test } from 'vitest';
import { Renaming } from './renaming';

const ONE = '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11';
const TWO = '1f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a12';

function learnt(recorded: unknown, live: unknown): Renaming {
  const renaming = new Renaming();
  renaming.learn(JSON.stringify(recorded), JSON.stringify(live));
  return renaming;
}

test('what the server calls otherwise now is sent by its new name; all else stays as it was written', () => {
  const renaming = learnt(
    { nextCursor: 'a', requestState: 's', content: [{ text: `{"order":"${ONE}"}` }], prose: `see ${ONE}`, name: 'x' },
    { nextCursor: 'b"', requestState: 't', content: [{ text: `{"order":"${TWO}"}` }], prose: `see ${TWO}`, name: 'y' },
  );
  expect(renaming.apply(`{ "big":9007199254740993.0, "cursor":"a", "o":["${ONE}"], "n":"x" }`)).toBe(
    `{ "big":9007199254740993.0, "cursor":"b\\"", "o":["${TWO}"], "n":"x" }`,
  );
  expect(renaming.apply(`{"text":"\\"a\\" and ${ONE}"}`)).toBe(`{"text":"\\"a\\" and ${ONE}"}`);
});

test('hostile answers teach nothing, and do not throw', () => {
  const renaming = new Renaming();
  renaming.learn('[', '{}');
  renaming.learn(`{"a":${JSON.stringify('['.repeat(100_000))}}`, `{"a":${JSON.stringify('['.repeat(100_001))}}`);
  renaming.learn('{"nextCursor":"a"}', '{"nextCursor":{"a":1}}');
  expect(renaming.apply('{"cursor":"a"}')).toBe('{"cursor":"a"}');
});

test('names in prose are learnt where the texts are the same besides', () => {
  const renaming = new Renaming();
  const [was, is] = ['Started search_1_1795357397190 at 10:00:01.', 'Started search_1_1795357410602 at 10:04:07.'];
  renaming.learn(JSON.stringify({ text: was }), JSON.stringify({ text: is }));
  renaming.learn(
    '{"text":"no 0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11"}',
    '{"text":"1f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a12 yes"}',
  );
  expect(renaming.apply('["search_1_1795357397190","0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11"]')).toBe(
    '["search_1_1795357410602","0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11"]',
  );
});
