import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckedFile, checkFile, readSkillFiles } from './check-file';
import { frontmatterText } from './frontmatter';
import { parseSimpleYaml } from './simple-yaml';
import { fileKey, filePath, readSkill } from './skill-entry';
import { parseYaml } from './whole-yaml';

const MANIFEST = '---\nname: pdf\ndescription: Fills forms\nmetadata:\n  version: "1.0"\n---\n\nBody.\n';
const NOTES = Buffer.from([0xff, 0x00, 0x41]);
const ROOT = 'skill://acme/pdf';

const listed = (name: string, content: string | Buffer) => ({
  uri: `${ROOT}/${name}`,
  digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
  size: Buffer.byteLength(content),
});
const ENTRY = {
  uri: `${ROOT}/SKILL.md`,
  frontmatter: { name: 'pdf', description: 'Fills forms', metadata: { version: '1.0' } },
  resources: [listed('notes.bin', NOTES), listed('SKILL.md', MANIFEST)],
};
const read = (uri: string, content: string | Buffer) => ({
  contents: [typeof content === 'string' ? { uri, text: content } : { uri, blob: content.toString('base64') }],
});

/** Reads a skill from a server that returns these texts. */
async function filesOf(entry: object, manifest = MANIFEST) {
  const asked: string[] = [];
  const files: CheckedFile[] = [];
  const ask = async (_method: string, { uri }: { uri: string }) => {
    asked.push(uri);
    return read(uri, uri.endsWith('SKILL.md') ? manifest : NOTES);
  };
  for await (const file of readSkillFiles(readSkill(entry), ask, parseYaml)) files.push(file);
  return { asked, files };
}

test('reads SKILL.md first, then each file as its entry spells it, and all pass', async () => {
  const { asked, files } = await filesOf(ENTRY);
  expect(asked).toEqual([`${ROOT}/SKILL.md`, `${ROOT}/notes.bin`]);
  expect(files.map(({ problems, checks }) => [problems, checks])).toEqual([
    [[], ['size', 'digest', 'frontmatter']],
    [[], ['size', 'digest']],
  ]);
});

test.each([
  ['a digest', MANIFEST.replace('Body', 'Evil'), /^Its digest is sha256:[0-9a-f]{64}\. The entry says sha256:/],
  ['a size', `${MANIFEST}more`, /^It has \d+ bytes\. The entry says \d+\.$/],
])('%s that differs stops the reading', async (_what, manifest, problem) => {
  const { asked, files } = await filesOf(ENTRY, manifest);
  expect(asked).toHaveLength(1);
  expect(files[0]!.problems[0]).toMatch(problem);
});

test('frontmatter that differs stops the reading, although size and digest are right', async () => {
  const manifest = MANIFEST.replace('Fills forms', 'Sends files');
  const { asked, files } = await filesOf({ ...ENTRY, resources: [listed('SKILL.md', manifest)] }, manifest);
  expect(asked).toHaveLength(1);
  expect(files[0]!.problems).toEqual(['description: the entry has "Fills forms", SKILL.md has "Sends files".']);
});

test('a dynamic skill has no digests, but its frontmatter is compared', async () => {
  const { files } = await filesOf({ ...ENTRY, resources: 'dynamic' });
  expect(files).toMatchObject([{ problems: [], checks: ['frontmatter'] }]);
});

test('a file that is not listed, or not returned, fails', () => {
  const skill = readSkill(ENTRY);
  expect(checkFile(skill, `${ROOT}/x`, read(`${ROOT}/x`, 'a'), parseYaml).problems).toEqual([
    'The entry does not list it.',
  ]);
  expect(checkFile(skill, `${ROOT}/notes.bin`, read('skill://other', 'a'), parseYaml).problems).toEqual([
    'The result has no contents with its uri.',
  ]);
  expect(
    checkFile(skill, `${ROOT}/notes.bin`, { contents: [{ uri: `${ROOT}/notes.bin`, blob: '%' }] }, parseYaml).problems,
  ).toEqual(['The blob is not valid base64.']);
});

test('finds one file under different spellings of its URI', () => {
  const skill = readSkill({ ...ENTRY, resources: [listed('Q&A ä.md', 'x')] });
  expect(checkFile(skill, `${ROOT}/Q%26A%20%c3%a4.md`, read(`${ROOT}/Q&A%20ä.md`, 'x'), parseYaml).problems).toEqual(
    [],
  );
  expect(filePath(skill, `${ROOT}/Q%26A%20%C3%A4.md`)).toBe('Q&A ä.md');
  expect(fileKey('no uri')).toBeUndefined();
});

describe('an entry', () => {
  test('of a valid skill has no problems', () => expect(readSkill(ENTRY).problems).toEqual([]));

  const file = (uri: string) => ({ ...listed('a', 'a'), uri });
  test.each<[string, object, string]>([
    ['no uri', { uri: 3 }, 'Its uri "" does not end in /SKILL.md in a named directory.'],
    [
      'another name than its directory',
      { uri: 'skill://x/SKILL.md' },
      'Its name "pdf" differs from its directory "x".',
    ],
    ['no description', { frontmatter: { name: 'pdf' } }, 'Its frontmatter has no description.'],
    ['no frontmatter', { frontmatter: [] }, 'Its frontmatter has no name.'],
    ['a name with capitals', { frontmatter: { name: 'PDF', description: 'x' } }, 'Its name "PDF" is not'],
    ['no resources', { resources: undefined }, 'Its resources are neither a list nor "dynamic".'],
    ['no SKILL.md', { resources: [] }, 'Its resources leave out its SKILL.md.'],
    ['a file outside', { resources: [file('skill://acme/other')] }, '"skill://acme/other" is not in its directory.'],
    ['an escaped parent', { resources: [file(`${ROOT}/%2e%2e%2fx`)] }, 'is not in its directory.'],
    ['a file twice', { resources: [file(`${ROOT}/a`), file(`${ROOT}/%61`)] }, 'is listed twice.'],
    ['an odd digest', { resources: [{ ...file(`${ROOT}/a`), digest: 'md5:1' }] }, 'is not sha256: and 64'],
    ['a negative size', { resources: [{ ...file(`${ROOT}/a`), size: -1 }] }, 'is not a number of bytes.'],
    [
      'too many files',
      { resources: Array.from({ length: 513 }, (_, n) => file(`${ROOT}/${n}`)) },
      'It lists 513 files.',
    ],
    ['too many bytes', { resources: [{ ...file(`${ROOT}/a`), size: 2 ** 25 }] }, 'Its files are larger than'],
  ])('with %s has a problem', (_what, change, problem) => {
    expect(readSkill({ ...ENTRY, ...change }).problems.join('\n')).toContain(problem);
  });

  test.each([undefined, null, 3, [], '{}'])('that is %j has problems', (value) => {
    expect(readSkill(value).problems.length).toBeGreaterThan(0);
  });
});

function parseFrontmatter(markdown: string) {
  const found = frontmatterText(markdown);
  return 'problem' in found ? found.problem : parseYaml(found.yaml);
}

describe('frontmatter', () => {
  test('keeps types of YAML 1.2, and CRLF and a byte order mark do not matter', () => {
    expect(parseFrontmatter('\uFEFF---\r\nname: a\r\nday: 2026-01-01\r\nok: yes\r\n---\r\n')).toEqual({
      name: 'a',
      day: '2026-01-01',
      ok: 'yes',
    });
  });

  test.each([
    ['# pdf', 'does not begin'],
    ['---\nname: a\n', 'no closing line'],
    ['---\n- a\n---\n', 'has no fields'],
    ['---\na: [\n---\n', 'not valid YAML'],
    ['---\na: 1\na: 2\n---\n', 'not valid YAML'],
    [`---\na: ${'x'.repeat(70_000)}\n---\n`, 'longer than'],
    [`---\na: &a [1]\nb: [${'*a,'.repeat(500)}*a]\n---\n`, 'not valid YAML'],
  ])('%j is refused', (text, problem) => expect(parseFrontmatter(text)).toContain(problem));

  test('a field named __proto__ is a field', () => {
    const parsed = parseFrontmatter('---\n__proto__:\n  x: 1\n---\n');
    expect(Object.keys(parsed as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('the page’s parser', () => {
  test.each([
    'name: pdf\ndescription: Fills "forms", and don’t stop at 5.\nlicense: MIT\n',
    'name: pdf\n# a comment\nmetadata:\n  version: "1.0"\n  author: me\n  deep:\n    a: 1\nallowed-tools: [Read, Bash]\n',
    "a: 'it''s'\nb: \"x\\n\\u00e9\"\nc: true\nd: ~\ne: 1.5\nf: 2026-01-01\ng: 1.2.3\nh:\ni: https://x.example/a#b\nj: yes\n",
    'description: >-\n  Two lines\n  become one.\nmore: |\n  Two lines\n  stay.\nlist:\n  - a\n  - "b"\n  - 3\n',
    'a: []\nb: -x\n',
  ])('reads %j as a whole parser does', (yaml) => {
    const simple = parseSimpleYaml(yaml);
    if (!yaml.includes('-x')) expect(simple).toBeDefined();
    if (simple) expect(simple).toEqual(parseYaml(yaml));
  });

  test.each([
    'a: &x 1',
    'a: *x',
    'a: {b: 1}',
    'a: b: c',
    'a: b\n  c',
    'a: [[1]]',
    '"a": 1',
    'a: !!str 1',
    '- a',
    'a: 0x1F',
    'a: 1e3',
    'a: .5',
    'a: +1',
    'a: 012',
    'a: |2\n   x',
    'a: >\n  x\n\n  y',
    'a:\n- b',
    'a:\tb',
    '__proto__: 1',
    'a: 1\na: 2',
    'a: "x\\x41"',
    "a: 'x",
    'a: - b',
    'a: ? b',
    'a: @b',
    'a:\n    b: 1\n  c: 2',
    'a: [b, "c"]',
    'a:\n  - b: 1',
    '? a',
  ])('leaves %j to a whole parser', (yaml) => expect(parseSimpleYaml(yaml)).toBeUndefined());

  test('never differs from a whole parser', () => {
    const piece = fc.constantFrom(
      'a',
      'b:',
      'c: ',
      ' ',
      '  ',
      '\n',
      '\n  ',
      '- ',
      "'",
      '"',
      '#',
      ' #',
      ': ',
      '|',
      '>',
      '-',
      '[',
      ']',
      ',',
      '1',
      '0',
      '.',
      'true',
      'null',
      '~',
      '\\n',
      '{',
      '}',
      '&',
      '*',
      '!',
      '?',
      'é',
      '\n- ',
      'e5',
      '---',
      '...',
      '=',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const yaml = `k: ${pieces.join('')}\n`;
        const simple = parseSimpleYaml(yaml);
        if (simple) expect(simple).toEqual(parseYaml(yaml));
      }),
      { numRuns: 3000 },
    );
  });
});
