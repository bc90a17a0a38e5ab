import { BREAKING_RULES } from './breaking-rules';
import { NORMALISERS } from './normalise';

/** What is left out of comparisons, and what is called breaking, as Markdown. */
export function compareDocument(): string {
  return [
    '# Comparing',
    '',
    '<!-- Written by a test from lib/compare: see compare-document.test.ts. -->',
    '',
    '`mcp-inspect verify FILE -- node server.js`, `mcp-inspect diff A B` and *Compare…* on the page compare what a server is and offers,',
    'and the answers to calls that ask the same. Calls are matched by method and arguments, the first of several with the first; lists',
    'by the names of what is in them. What the server asked during a call counts as well; notifications, times and order do not.',
    '',
    '- **structure**: other types, other members, another outcome, and what the last table calls breaking. Other values don’t count.',
    '- **semantic**, the default: other values too. JSON in strings is read, and what the table marks *always* is left out.',
    '- **strict**: any other JSON value. The order of members and white space are no part of it.',
    '',
    'What was taken out of a recording (`•••`, `[redacted:…]`) may have been anything. What `verify` shows and writes of either side has gone through',
    'the same redaction as a recording, with what the server is given now. A list that a side does not have, as a recording of a',
    'single call, is not compared, and that is said; where nothing can be compared, that is no success.',
    '',
    '## What is left out',
    '',
    '`--ignore NAME[,NAME…]` leaves out more, in each mode but *structure*, which looks at no values.',
    '',
    '| name | semantic | what |',
    '|---|---|---|',
    ...NORMALISERS.map(({ name, usual, what }) => `| \`${name}\` | ${usual ? 'always' : 'if asked for'} | ${what} |`),
    '',
    '## What is called breaking',
    '',
    'A change of what a server offers that breaks who relied on it. Ids are stable. Anything else that differs is a change.',
    '',
    '| id | what | why |',
    '|---|---|---|',
    ...BREAKING_RULES.map(({ id, what, why }) => `| \`${id}\` | ${what} | ${why} |`),
    '',
  ].join('\n');
}
