import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quote } from 'shlex';
import { dataFolder } from './data-folder';

/**
 * Returns the folders of packages whose code mcp-inspect may load: its own `node_modules`, the one that it is installed
 * in, and that of its data folder. Not those of the working directory: what lies there may be a stranger’s.
 */
export function moduleFolders(here: string = import.meta.dirname, data: string = dataFolder()): readonly string[] {
  const own = packageFolder(here);
  const around = dirname(own);
  return [
    join(own, 'node_modules'),
    ...(basename(around) === 'node_modules' ? [around] : []),
    join(data, 'node_modules'),
  ];
}

/** Returns the command that installs a package where {@link moduleFolders} finds it. */
export function installLine(name: string, data: string = dataFolder()): string {
  // No path of Windows has a quote. Elsewhere, a shell reads signs between double quotes too.
  return `npm install --prefix ${process.platform === 'win32' ? `"${data}"` : quote(data)} ${name}`;
}

/** The nearest folder with a package.json. */
function packageFolder(here: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  }
}
