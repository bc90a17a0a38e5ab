import type { CommandContext } from '@/proxy/cli/grammar';

/** Says that a host does not pass on our folder, which entries don't name: they would then be of one machine. */
export function noteOwnFolder({ printNote }: Pick<CommandContext, 'printNote'>): void {
  const folder = process.env.MCP_INSPECT_HOME;
  if (!folder) return;
  printNote(`MCP_INSPECT_HOME is ${folder} here, which hosts don’t know: they use the default data folder.`);
  printNote('Add it to `env` of the entry, or to the environment of the host, to use this folder there too.');
}
