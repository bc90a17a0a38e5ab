// Refuses wording that makes our prose hard to read, and names what to write instead. CONTRIBUTING.md has the style.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');
const MOST_COLUMNS = 120;

/**
 * Wording that is refused anywhere in a text or, with `comment`, at the start of a doc comment.
 * @type {readonly { pattern: RegExp, instead: string, comment?: true }[]}
 */
export const TICS = [
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\bwhoever\b/i, instead: 'the actor: "the reader", "anyone who"' },
  { pattern: /\bof which\b/i, instead: 'two sentences' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: '"fix"' },
  { pattern: /\b(?:is|are|was|were|be) told\b/i, instead: 'the actor: "mcp-inspect reports …", "the page receives …"' },
  { pattern: /\bbesides\b/i, instead: '"also", "too" or "except"' },
  {
    pattern: /(?<!\bthere |\bThere )\b(?:is|are) no (?!longer\b|more\b)[a-z]/,
    instead: '"is not a …", "invalid", "missing", "has no …" or "there is no …"',
  },
  {
    pattern: /^(?:Of|Whoever|What|Where|That) /,
    instead: 'a verb ("Returns …") or the thing ("The frames that …")',
    comment: true,
  },
];

/** Files that may contain the refused wording: this list, and texts by other people. */
const EXEMPT = /^(?:scripts\/check-words(?:\.test)?\.mjs|LICENSE|bench\/forms\/.*\.json|.*package-lock\.json)$/;
const CODE = /\.(?:ts|tsx|mjs)$/;

/**
 * Returns every violation in one file as a sentence that starts with its path and line.
 * @param {string} path from the project's root
 * @param {string} text
 * @returns {string[]}
 */
export function checkWords(path, text) {
  const found = [];
  for (const [at, line] of text.split('\n').entries()) {
    const where = `${path}:${at + 1}`;
    const comment = /^\s*(?:\/\/|\/?\*+)\s?(.*)$/.exec(line)?.[1];
    const docStart = /^\s*\/\*\*\s?(.*)$/.exec(line)?.[1];
    for (const { pattern, instead, comment: onlyAtStart } of TICS) {
      const subject = onlyAtStart ? docStart : line;
      const word = subject === undefined ? undefined : pattern.exec(subject)?.[0];
      if (word !== undefined) found.push(`${where}: "${word.trim()}": write ${instead}`);
    }
    if (CODE.test(path) && comment !== undefined && line.length > MOST_COLUMNS) {
      found.push(`${where}: a comment of ${line.length} columns: wrap it at ${MOST_COLUMNS}`);
    }
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = trackedFiles(/\.(?:ts|tsx|mjs|md|yml)$/).filter((path) => !EXEMPT.test(path));
  const found = files.flatMap((path) => checkWords(path, readFileSync(join(root, path), 'utf8')));
  for (const sentence of found) process.stdout.write(`${sentence}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
