// `node scripts/release-files.mjs FOLDER`: writes the files of a release: the package as npm gets it, its bill of
// materials, NOTES.md for GitHub, and SHA256SUMS.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { releaseNotes } from './changelog.mjs';
import { runNpm } from './run.mjs';

const root = join(import.meta.dirname, '..');
const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('Name the folder to write to.');
const folder = resolve(given);
const { version, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
writeFileSync(join(folder, 'NOTES.md'), releaseNotes(changelog, version, homepage.replace('#readme', '')));
const code = await runNpm(['pack', '--pack-destination', folder], { quiet: true });
if (code !== 0) throw new Error(`npm pack failed with exit code ${code}.`);
const materials = execFileSync(process.execPath, [join(root, 'scripts/sbom.mjs')], { maxBuffer: 1e8 });
writeFileSync(join(folder, `mcp-inspect-${version}.cdx.json`), materials);
const sums = readdirSync(folder)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
