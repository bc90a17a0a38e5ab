import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelTool } from './model';
import {
  EARLIER_NAMING,
  namingProblem,
  offerTools,
  qualifiedName,
  toolNamed,
  toolWritten,
  USUAL_NAMING,
  writtenNames,
} from './tool-names';

const tool = (name: string, more: Partial<ModelTool> = {}): ModelTool => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});
const names = (...args: Parameters<typeof offerTools>) => offerTools(...args).map(({ name }) => name);

test('equal tools of two servers have different names', () => {
  const listed = [
    { server: 'notes', tools: [tool('search'), tool('add')] },
    { server: 'web', tools: [tool('search')] },
  ];
  expect(names(listed)).toEqual(['notes__search', 'notes__add', 'web__search']);
  expect(names(listed, '{tool}')).toEqual([
    expect.stringMatching(/^search_[a-z0-9]+$/),
    'add',
    expect.stringMatching(/^search_[a-z0-9]+$/),
  ]);
  expect(names(listed, '{tool}-{server}')).toEqual(['search-notes', 'add-notes', 'search-web']);
  expect(names(listed, 'mine')).toEqual(names(listed));
});

test('the tools of a single server keep their names', () => {
  const notes = { server: 'notes', tools: [tool('search'), tool('add.one')] };
  expect(names([notes])).toEqual(['search', 'add_one']);
  expect(offerTools([notes]).map(qualifiedName)).toEqual(['notes__search', 'notes__add_one']);
  expect(names([notes, { server: 'web', tools: [] }])).toEqual(['notes__search', 'notes__add_one']);
  expect(names([notes], EARLIER_NAMING)).toEqual(['notes__search', 'notes__add_one']);
  expect(names([notes], 'my-{server?}/{tool}')).toEqual(['my-search', 'my-add_one']);
  expect(names([notes], '{tool}{server?}')).toEqual(['search', 'add_one']);
  expect(offerTools([notes], '{tool}')[0]).not.toHaveProperty('qualified');
});

test('a person may write each of the names of a tool', () => {
  const offered = offerTools([{ server: 'notes', tools: [tool('notes__add'), tool('add')] }]);
  expect(writtenNames(offered[1]!)).toEqual(['add', 'notes__add', 'add']);
  expect(['add', 'notes__add', 'notes__notes__add'].map((name) => toolWritten(offered, name)?.tool)).toEqual([
    'add',
    'notes__add',
    'notes__add',
  ]);
});

test('a pattern must contain the tool', () => {
  expect(namingProblem('{server}')).toBe('The pattern must contain {tool}.');
  for (const pattern of ['{tool}', USUAL_NAMING]) expect(namingProblem(pattern)).toBeUndefined();
});

test('characters that providers refuse are replaced', () => {
  const [dotted, plain] = names([{ server: 's', tools: [tool('a.b'), tool('a_b')] }], '{tool}');
  expect(plain).toMatch(/^a_b_[a-z0-9]+$/);
  expect(dotted).toMatch(/^a_b_[a-z0-9]+$/);
  expect(names([{ server: 's', tools: [tool('7 wonders')] }], '{tool}')).toEqual(['_7_wonders']);
  expect(names([{ server: 's', tools: [tool('')] }], '{tool}')).toEqual(['_']);
  expect(names([{ server: '$&', tools: [tool('$`')] }], EARLIER_NAMING)).toEqual([`__${'_'}___`]);
});

test('only an explicit true makes a tool read-only', () => {
  const readOnly = (readOnlyHint: unknown) =>
    offerTools([{ server: 's', tools: [tool('t', { annotations: { readOnlyHint } })] }])[0]!.readOnly;
  expect([true, 'true', 1, undefined, null].map(readOnly)).toEqual([true, false, false, false, false]);
});

test('every name is accepted, unique, and leads back to its tool, whatever the order', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'a.b', 'a_b', 'a-b', 'x'.repeat(70), '__proto__'),
    fc.string({ unit: 'binary', maxLength: 90 }),
  );
  const listed = fc.uniqueArray(fc.record({ server: word, tools: fc.uniqueArray(word, { maxLength: 6 }) }), {
    selector: ({ server }) => server,
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      listed,
      fc.constantFrom('{server}__{tool}', '{tool}', 'x{tool}y{server}z{tool}', USUAL_NAMING),
      (servers, naming) => {
        const given = servers.map(({ server, tools }) => ({ server, tools: tools.map((name) => tool(name)) }));
        const offered = offerTools(given, naming);
        for (const { name, server, tool: own } of offered) {
          expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
          expect(toolNamed(offered, name)).toMatchObject({ server, tool: own });
        }
        expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length);
        expect(names(given, naming)).toEqual(offered.map(({ name }) => name));
      },
    ),
  );
});

test('a server that lists a tool twice gets two names', () => {
  const twice = names([{ server: 's', tools: [tool('t'), tool('t'), tool('t')] }], EARLIER_NAMING);
  expect(new Set(twice).size).toBe(3);
  expect(twice[0]).toBe('s__t');
});

test('attack: no server takes over the name of another server’s tool', () => {
  const good = { server: 'a__b', tools: [tool('c')] };
  expect(offerTools([good]).map(qualifiedName)).toEqual(['a__b__c']);
  const both = [{ server: 'a', tools: [tool('b__c')] }, good];
  const [bad, suffixed] = names(both);
  expect([bad, suffixed]).not.toContain('a__b__c');
  expect(names([...both].reverse())).toEqual([suffixed, bad]);
  const imitating = { server: 'a', tools: [tool('b__c'), tool(suffixed!.slice('a__'.length))] };
  expect(offerTools([imitating, good]).find(({ name }) => name === suffixed)!.server).toBe('a__b');
});

test('a withheld tool stays withheld when its name gets a suffix, or loses it', () => {
  const good = { server: 'a__b', tools: [tool('c')] };
  const both = [{ server: 'a', tools: [tool('b__c')] }, good];
  expect(offerTools(both, USUAL_NAMING, ['a__b__c'])).toEqual([]);
  expect(offerTools([good], USUAL_NAMING, [names(both)[1]!])).toEqual([]);
  const alone = { server: 'a', tools: [tool('c'), tool('d')] };
  expect(names([alone], USUAL_NAMING, ['a__c'])).toEqual(['d']);
  expect(names([alone, { server: 'b', tools: [tool('c')] }], USUAL_NAMING, ['a__c'])).toEqual(['a__d', 'b__c']);
});
