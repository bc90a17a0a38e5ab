import { FEATURES } from '@/features/features';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandTable, RunCommand } from '@/proxy/cli/grammar';
import { ownContext } from '@/proxy/servers/discovery';
import { findKnownServers } from '@/proxy/servers/known-servers';
import { candidatesFor, type KnownNames } from './candidates';
import { SCRIPTS } from './scripts';

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
  return {
    async servers() {
      const { servers } = await findKnownServers(ownContext());
      return servers.flatMap(({ host, entry }) => [entry.name, `${host.id}/${entry.name}`]);
    },
    async tools(server) {
      const names = FEATURES.map(async ({ toolNames }) => (await toolNames?.())?.toolNames(server, version) ?? []);
      return (await Promise.all(names)).flat();
    },
  };
}
