// `npm run check`: runs every check that does not run the program, in parallel. Shows the output of failed checks only.
import { join } from 'node:path';
import { ensureInstalled } from './ensure.mjs';
import { fileFigures } from './file-figures.mjs';
import { runNode } from './run.mjs';

const CHECKS = [
  { name: 'types', path: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  {
    name: 'biome',
    path: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '--reporter=summary'],
  },
  { name: 'imports', path: 'scripts/check-imports.mjs', args: [] },
  { name: 'unused', path: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
  { name: 'lock', path: 'scripts/check-lock.mjs', args: [] },
  { name: 'words', path: 'scripts/check-words.mjs', args: [] },
  { name: 'spreads', path: 'scripts/check-spreads.mjs', args: [] },
  { name: 'names', path: 'scripts/check-names.mjs', args: [] },
];

await ensureInstalled('.');
const codes = await Promise.all(
  CHECKS.map(async ({ name, path, args }) => {
    const begun = performance.now();
    const code = await runNode(join(path), args, { quiet: true });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds} s\n`);
    return code;
  }),
);
process.stdout.write(`       files    ${fileFigures()}\n`);
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
