import { expect, test } from 'vitest';
import { BREAKING_RULES } from './breaking-rules';
import { NORMALISERS } from './normalise';

test('docs/compare.md is up to date: run vitest -u to write it again', async () => {
  await expect(compareDocument()).toMatchFileSnapshot('../../../docs/compare.md');
});

/** Lists what comparisons ignore, and breaking changes, as Markdown. */
function compareDocument(): string {
  return [
    '# Comparing',
    '',
    '<!-- Written by a test from lib/replay/compare: see compare-document.test.ts. -->',
    '',
    "`mcp-inspect test FILE -- node server.js`, [`mcp-inspect diff`](diff.md) and *Compare with…* in the page's palette compare what a server",
    'offers and how it responds. Calls match if their method and arguments are the same; equal calls pair in order. List',
    'items match by name. Requests of the server during a call are compared, too. Notifications, times and order are not.',
    '',
    '- **structure** compares types, members and outcomes, and finds breaking changes. It ignores other values.',
    '- **semantic**, the default, compares values as well. It reads JSON in strings, and ignores what is marked *always* below.',
    '- **strict** compares every JSON value. It ignores only the order of members and white space.',
    '',
    'Redacted values (`•••`, `[redacted:…]`) match anything. `test` redacts both sides like a recording, and also the',
    'secrets that the server is given now. If one side has no list, as in a recording of a single call, that list is not',
    'compared, and the report says so. If nothing can be compared, the comparison fails.',
    '',
    '## What is ignored',
    '',
    '`--ignore NAME[,NAME…]` ignores more. It has no effect on *structure*, which compares no values.',
    '',
    '| name | semantic | what |',
    '|---|---|---|',
    ...NORMALISERS.map(({ name, usual, what }) => `| \`${name}\` | ${usual ? 'always' : 'on request'} | ${what} |`),
    '',
    '`--ignore PLACE` leaves out a place of the answers, and everything in it. A place is written as in JSONPath:',
    '`$.content[0].text`, `$.items[*].id`, `$..etag`, `$["a b"]`. JSON in a string is entered like any value. Quote places,',
    'since a shell reads `$` and `*`. `--ignore order` ignores the order of items. Neither has an effect on lists.',
    '',
    '## Breaking changes',
    '',
    'A breaking change breaks existing clients. Ids are stable. Every other difference is just a change.',
    '',
    '| id | what | why |',
    '|---|---|---|',
    ...BREAKING_RULES.map(({ id, what, why }) => `| \`${id}\` | ${what} | ${why} |`),
    '',
  ].join('\n');
}
