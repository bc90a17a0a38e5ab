import { readTapWords } from '@/proxy/servers/tap-line';
import { runTap } from './tap';

/** The build replaces it with the version in package.json. */
declare const MCP_INSPECT_VERSION: string;

/** Runs the tap of a command line. Returns false for one that has to be explained: a mistake, or a wish for help. */
export async function tap(words: readonly string[]): Promise<boolean> {
  const line = readTapWords(words);
  if (!line) return false;
  return runTap(line, MCP_INSPECT_VERSION);
}
