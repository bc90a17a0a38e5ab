import type { EntryCheck } from '@/features/entry-check';
import type { ConfigEntry } from '@/lib/wire/server-config';
import type { HostId } from './hosts';

/** A habit of a host with some entries of its config. */
interface EntryFact {
  readonly id: string;
  readonly host: HostId;
  /** Returns the fault as a sentence; undefined if there is none. */
  readonly fault: (entry: ConfigEntry) => string | undefined;
  readonly does: string;
  readonly advice: string;
  readonly source: string;
  readonly on: string;
}

const isUrl = ({ target }: ConfigEntry): boolean => target.transport !== 'stdio';
/** A path with a folder that begins where the host happens to run. */
const RELATIVE = /^(?![/\\~]|[A-Za-z]:|\$\{).*[/\\]/;

/** Facts about the entries of configs. */
export const ENTRY_FACTS: readonly EntryFact[] = [
  {
    id: 'desktop-no-remote-config',
    host: 'claude-desktop',
    fault: (entry) => (isUrl(entry) ? 'The entry has a URL.' : undefined),
    does: 'The host starts commands only, and ignores it.',
    advice: 'Add it under Connectors, or through a bridge such as mcp-remote.',
    source: 'https://support.claude.com/en/articles/11503834',
    on: '2026-11-29',
  },
  {
    id: 'desktop-env',
    host: 'claude-desktop',
    fault: ({ target }) =>
      target.transport === 'stdio' && RELATIVE.test(target.command)
        ? 'The path of the command is relative.'
        : undefined,
    does: 'The host does not start in the project’s folder.',
    advice: 'Write the whole path.',
    source: 'https://mcp.zovo.one/setup (read there)',
    on: '2026-09-03',
  },
  {
    id: 'cc-reserved',
    host: 'claude-code',
    fault: ({ name }) =>
      ['workspace', 'Claude Browser', 'Claude Preview'].includes(name) ? 'The name is reserved.' : undefined,
    does: 'The host skips the server, since 2.1.128.',
    advice: 'Choose another name.',
    source: 'anthropics/claude-code:CHANGELOG.md @5cfc0a19',
    on: '2026-08-22',
  },
  {
    id: 'codex-server-name',
    host: 'codex',
    fault: ({ name }) =>
      /^[a-zA-Z0-9_-]+$/.test(name) ? undefined : 'The name has other characters than letters, digits, _ and -.',
    does: 'The host does not start the server.',
    advice: 'Choose another name.',
    source: 'openai/codex:codex-rs/codex-mcp/src/rmcp_client.rs @02beca9f',
    on: '2026-08-22',
  },
  {
    id: 'gemini-server-underscore',
    host: 'gemini',
    fault: ({ name }) => (name.includes('_') ? 'The name has an underscore.' : undefined),
    does: 'The host reads the name in its rules up to the first underscore, so they do not match.',
    advice: 'Use a hyphen.',
    source: 'google-gemini/gemini-cli:docs/tools/mcp-server.md @5411f113',
    on: '2026-08-21',
  },
  {
    id: 'cursor-env-file',
    host: 'cursor',
    fault: (entry) =>
      isUrl(entry) && entry.envFile !== undefined ? 'The entry has a URL and an `envFile`.' : undefined,
    does: 'The host reads `envFile` for commands only.',
    advice: 'Put the values into `headers`.',
    source: 'https://cursor.com/docs/mcp',
    on: '2026-09-03',
  },
];

/** Finds what a host stumbles over in an entry of its config. */
export const entryObstacles: EntryCheck = (host, entry) =>
  ENTRY_FACTS.filter((fact) => fact.host === host).flatMap(({ id, fault, does, advice, source, on }) => {
    const words = fault(entry);
    return words === undefined ? [] : [{ fact: id, words: `${words} ${does} ${advice}`, source, on }];
  });
