/**
 * Names that commands had before the first release, and what does the same now. An old name is unknown, but its message
 * names the new one.
 */
export const RENAMED: ReadonlyMap<string, string> = new Map([
  ['skills', 'list skills'],
  ['apps', 'list apps'],
  ['listen', 'list --follow'],
  ['forms', 'list tools --fields'],
  ['capabilities', 'list --by-capability'],
  ['complete', 'prompt NAME --complete ARG=PREFIX` or `mcp-inspect read URI --complete VAR=PREFIX'],
  ['ping', 'doctor'],
  ['discover', 'doctor'],
  ['card', 'doctor'],
  ['run', 'test'],
  ['verify', 'test RECORDING'],
  ['pin', 'test --add RECORDING'],
  ['minimise', 'test RECORDING --minimise'],
  ['twin', 'diff -- SERVER --- SERVER'],
  ['status', 'servers'],
  ['taps', 'servers'],
  ['install', 'tap add HOST` or `mcp-inspect mcp add HOST'],
  ['uninstall', 'tap remove HOST` or `mcp-inspect mcp remove HOST'],
  ['sign-ins', 'auth'],
  ['push', 'recordings push'],
  ['pull', 'recordings pull'],
  ['page', 'open --write FOLDER'],
  ['contract', 'export --format schema'],
  ['host', 'report --usage'],
]);

/** Words that a later version may have commands for. */
export const RESERVED: ReadonlySet<string> = new Set(['init']);
