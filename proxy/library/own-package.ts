import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnPackage } from './launch-target';

/** The build replaces it with the version in package.json. */
declare const MCP_INSPECT_VERSION: string;

/** Folder of this file in the package: that of the built bin, or the one below. Jest has no `import.meta.dirname`. */
const here = dirname(fileURLToPath(import.meta.url));

/** The installed package. */
export const OWN: OwnPackage = {
  home: basename(here) === 'proxy' ? dirname(here) : here,
  version: MCP_INSPECT_VERSION,
};
