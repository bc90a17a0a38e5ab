import { cachedSummaries, summariesOf } from '@/features/team/proxy/summaries/summary-cache';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandTable, RunCommand } from '@/proxy/cli/grammar';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import { ownContext } from '@/proxy/servers/discovery';
import { findKnownServers } from '@/proxy/servers/known-servers';
import { runWithin } from '../shared/time-limit';
import { candidatesFor, type KnownNames } from './candidates';
import { SCRIPTS } from './scripts';

/** Largest recording that is read to complete a word. */
const READ_BYTES = 16 * 1024 * 1024;

/** Returns the command that prints the script for a shell, or what the script asks for. */
export const completionOf =
  (table: CommandTable): RunCommand =>
  async ({ request: { words }, version, printText }) => {
    const [shell, ...rest] = words;
    if (shell === 'words') {
      const found = await candidatesFor(rest, table, knownNames(version));
      if (found.length > 0) printText(found.join('\n'));
      return EXIT.fine;
    }
    const script = SCRIPTS.get(shell!);
    if (script !== undefined && rest.length === 0) {
      printText(script);
      return EXIT.fine;
    }
    throw usageError(`Write \`mcp-inspect completion\` and the name of a shell: ${[...SCRIPTS.keys()].join(', ')}.`);
  };

function knownNames(version: string): KnownNames {
  const folder = ownRecordingsFolder();
  return {
    async servers() {
      const { servers } = await findKnownServers(ownContext());
      return servers.flatMap(({ host, entry }) => [entry.name, `${host.id}/${entry.name}`]);
    },
    async tools(server) {
      if (server === undefined) {
        return cachedSummaries(folder, version).flatMap(({ tools }) => tools.map(({ name }) => name));
      }
      const named = server.slice(server.indexOf('/') + 1);
      const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
      const newest = recordings.find(
        ({ name, bytes, unreadable }) => name === named && !unreadable && bytes < READ_BYTES,
      );
      if (!newest) return [];
      const path = `${folder}/${newest.id}`;
      const { summaries } = await summariesOf([path], folder, { version, within: runWithin });
      return summaries.flatMap(({ summary }) => summary.tools.map(({ name }) => name));
    },
  };
}
