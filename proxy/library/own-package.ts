import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnPackage } from './launch-target';

/** The build replaces it with the version in package.json. */
declare const MCP_INSPECT_VERSION: string;

/** Folder of this file: that of the bin, or the one below. Jest has no `import.meta.dirname`. */
const here = dirname(fileURLToPath(import.meta.url));

/** The installed package. */
export const OWN: OwnPackage = {
  home: existsSync(join(here, 'cli.js')) ? here : dirname(here),
  version: MCP_INSPECT_VERSION,
};
