import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readChangelog, releaseNotes } from './changelog.mjs';

const TEXT = `# Changelog

## 0.2.0 (unreleased)

### Log

- Faster. See [the log](docs/log.md), [below](#log) and [MCP](https://modelcontextprotocol.io).

## 0.1.0 (2026-01-31)

The first version.
`;

test('a changelog has a section for each version', () => {
  expect(readChangelog(TEXT)).toEqual([
    { version: '0.2.0', date: 'unreleased', heading: '## 0.2.0 (unreleased)', body: expect.stringMatching(/^### Log/) },
    { version: '0.1.0', date: '2026-01-31', heading: '## 0.1.0 (2026-01-31)', body: 'The first version.' },
  ]);
});

test.each(['## Next', '## 0.1 (unreleased)', '## 0.1.0', '## 0.1.0 (soon)'])('refuses the heading %s', (heading) => {
  expect(() => readChangelog(`# Changelog\n\n${heading}\n`)).toThrow(`not "${heading}"`);
});

test('notes have the text of one version, and links that work elsewhere', () => {
  const notes = releaseNotes(TEXT, '0.2.0', 'https://example.com/o/n');
  expect(notes).toContain('`npx mcp-inspect@0.2.0`');
  expect(notes).toContain('[the log](https://example.com/o/n/blob/v0.2.0/docs/log.md)');
  expect(notes).toContain('[below](#log) and [MCP](https://modelcontextprotocol.io)');
  expect(notes).not.toContain('The first version');
});

test('a version without text has no notes', () => {
  expect(() => releaseNotes(TEXT, '0.3.0', 'x')).toThrow('CHANGELOG.md has no section with text for 0.3.0.');
  expect(() => releaseNotes('# Changelog\n\n## 1.0.0 (unreleased)\n', '1.0.0', 'x')).toThrow(
    'no section with text for 1.0.0',
  );
  expect(() => releaseNotes(`# Changelog\n\n## 1.0.0 (unreleased)\n\n${'x'.repeat(125_000)}\n`, '1.0.0', 'x')).toThrow(
    'GitHub takes',
  );
});

test('CHANGELOG.md has notes for the version in package.json', () => {
  const read = (path) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
  const { version, homepage } = JSON.parse(read('package.json'));
  expect(releaseNotes(read('CHANGELOG.md'), version, homepage.replace('#readme', ''))).toContain('###');
});
