// Reads CHANGELOG.md. Each version has a heading such as `## 1.2.3 (2026-01-31)`; the next one has `(unreleased)`.
const HEADING = /^## (\d+\.\d+\.\d+) \((unreleased|\d{4}-\d{2}-\d{2})\)$/;

/**
 * Returns the sections of a changelog, the newest first.
 * @param {string} text
 * @returns {{ version: string, date: string, heading: string, body: string }[]} date: ISO 8601, or `unreleased`
 * @throws {Error} with a sentence for a heading that names no version and date
 */
export function readChangelog(text) {
  const [, ...sections] = text.split(/^(?=## )/m);
  return sections.map((section) => {
    const [heading] = section.split('\n', 1);
    const [, version, date] = HEADING.exec(heading) ?? [];
    if (!version) throw new Error(`CHANGELOG.md: expected "## 1.2.3 (unreleased)" or a date, not "${heading}".`);
    return { version, date, heading, body: section.slice(heading.length).trim() };
  });
}

/** GitHub refuses longer notes. In characters. */
const MOST_NOTES = 125_000;

/**
 * Returns the release notes of a version: its section, with links that work outside of the repository.
 * @param {string} text of the changelog
 * @param {string} version
 * @param {string} repository such as `https://github.com/owner/name`
 * @throws {Error} with a sentence if there are none
 */
export function releaseNotes(text, version, repository) {
  const section = readChangelog(text).find((each) => each.version === version);
  if (!section?.body) throw new Error(`CHANGELOG.md has no section with text for ${version}.`);
  const at = `${repository}/blob/v${version}/`;
  const body = section.body.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, path) => `](${at}${path})`);
  const install = `\`npx mcp-inspect@${version}\` runs this version. \`SHA256SUMS\` has the checksums of the files below.`;
  const notes = `${install}\n\n${body}\n`;
  if (notes.length > MOST_NOTES)
    throw new Error(`The notes have ${notes.length} characters. GitHub takes ${MOST_NOTES}.`);
  return notes;
}
