// `npm run sbom`: prints a CycloneDX 1.6 bill of materials for the package: what is bundled in it. It depends on
// nothing else. Run it at release, and publish the result beside the tarball.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensure } from './ensure.mjs';
import { bundledFolders } from './licenses.mjs';

const root = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

function component(folder, type = 'library') {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm, digest] = lock[folder]?.integrity?.split('-') ?? [];
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ license: { name: license } }],
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
  };
}

await ensure();
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: component('.', 'application') },
  components: bundledFolders().map((folder) => component(folder)),
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
