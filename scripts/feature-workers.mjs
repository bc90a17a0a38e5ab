import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Returns the scripts of features that the page loads by themselves: each is `features/NAME/workers/SCRIPT.ts`. */
export function featureWorkers() {
  return readdirSync(join(root, 'features')).flatMap((feature) => {
    const folder = `features/${feature}/workers`;
    const files = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
    return files.map((file) => ({ name: basename(file, '.ts'), path: `${folder}/${file}` }));
  });
}
