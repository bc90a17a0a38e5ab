import { expect, test } from 'vitest';
import { byteTextOf } from './byte-text';
import { scanLayouts } from './layouts';

/** Returns the values that the lines before them name. */
function found(text: string): string[] {
  const values: string[] = [];
  scanLayouts(text, (from, to) => values.push(text.slice(from, to)));
  return values;
}

const VALUE = 'Zx9kQ2vLm4Tn8RwB';

test.each([
  ['Markdown', `| user | API key |\n|---|---|\n| ann | \`${VALUE}\` |`],
  ['psql', ` id | api_key\n----+---------\n  7 | ${VALUE}\n(1 row)`],
  ['lines of Unicode', byteTextOf(`│ id │ token │\n├────┼─────┤\n│ 7 │ ${VALUE} │`)],
  ['mysql', `+----+-------+\n| id | token |\n+----+-------+\n|  7 | ${VALUE} |\n`],
  ['CSV', `id,name,password\n7,ann,${VALUE}\n`],
  ['tabs', `id\ttoken\n7\t${VALUE}`],
  ['columns', `NAME    TOKEN\nfirst   ${VALUE}`],
  ['lines with numbers', `1\t| id | token |\n2\t| 7 | ${VALUE} |`],
])('finds a value below the head of a table: %s', (_, text) => {
  expect(found(text)).toEqual([VALUE]);
});

test.each([
  ['a heading', `## Access token\n\n\`\`\`\n${VALUE}\n\`\`\``],
  ['a line of its own', `Username\nann\nPassword:\n${VALUE}`],
  ['name and value', `- name: API_TOKEN\n  value: "${VALUE}"`],
  ['a log', `2026-01-01T10:00:00Z API key\n2026-01-01T10:00:00Z ${VALUE}`],
  ['a property list', `<key>ClientSecret</key>\n<string>${VALUE}</string>`],
  ['YAML', `token: >-\n  ${VALUE}\n`],
])('finds a value on the line after its name: %s', (_, text) => {
  expect(found(text)).toEqual([VALUE]);
});

test('finds every value of a Secret of Kubernetes, and of no other document', () => {
  const secret = `apiVersion: v1\ndata:\n  anything: ${VALUE}\nkind: Secret\n`;
  expect(found(secret)).toEqual([VALUE]);
  expect(found(`${secret.replace('Secret', 'ConfigMap')}---\nkind: Secret\nmetadata:\n  name: app-1234\n`)).toEqual([]);
});

test('finds values in rows of SQL, and stops at their end', () => {
  const rows = "INSERT INTO users (id, password) VALUES (1, 'one-1'), (2, 'two-2'); SELECT 'three-3'";
  expect(found(rows)).toEqual(['one-1', 'two-2']);
});

test.each([
  '| Secret | Description |\n|---|---|\n| AZURE_KEY_1 | of the storage |\n| my-app-tls-1 | a name |',
  'token,count\nhello,12\ncovid-2019,3',
  'Needs a token, password, or key,\nand then, well, 12 more3 of them',
  'Password\nMust have 8 characters\nToken\n2026-01-01',
])('finds nothing in %j', (text) => {
  expect(found(text)).toEqual([]);
});
