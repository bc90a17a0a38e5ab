import type { EntryCheck, EntryObstacle, EntryPlace } from '@/features/entry-check';
import { containerCommand } from '@/lib/doctor/container-command';
import type { ConfigEntry } from '@/lib/wire/server-config';
import { type HostId, hostOf } from './hosts';
import { isLeft, leftPlaceholders } from './left-placeholders';

/** A habit of a host with some entries of its config. */
interface EntryFact extends Pick<EntryObstacle, 'source' | 'on' | 'isReported'> {
  readonly id: string;
  /** Absent: every host. */
  readonly host?: HostId;
  /** Returns the fault as a sentence; undefined if there is none. */
  readonly fault: (entry: ConfigEntry, place: EntryPlace) => string | undefined;
  readonly does: string;
  readonly advice: string;
  /** It is about the whole file, so it counts also if nobody knows whose file it is. */
  readonly isOfFile?: true;
}

const isUrl = ({ target }: ConfigEntry): boolean => target.transport !== 'stdio';
/** A path with a folder that begins where the host happens to run. */
const RELATIVE = /^(?![/\\~]|[A-Za-z]:|\$\{).*[/\\]/;
/** Programs whose first path is a script, and its endings. A file without a folder is one, too. */
const INTERPRETER = /^(?:.*[/\\])?(?:node|bun|deno|tsx|python[\d.]*|ruby|php)(?:\.exe)?$/i;
const RELATIVE_SCRIPT = /^(?![-/\\~@]|[A-Za-z]:|\$\{)[^:]*\.(?:[cm]?[jt]s|py|rb|php)$/;
/** Characters of a path in a sentence. */
const PATH_CHARS = 300;
/** Folders of version managers, which only shells put on PATH. */
const MANAGED = /[/\\]\.?(?:nvm|fnm|volta|asdf|mise|nodenv|pyenv|rbenv)[/\\]/;

/** Says which part of a command begins where the host happens to run. */
function relativePart({ target }: ConfigEntry): string | undefined {
  if (target.transport !== 'stdio') return undefined;
  const { command, args, cwd } = target;
  if (RELATIVE.test(command)) return 'The path of the command is relative.';
  const script = INTERPRETER.test(command) && cwd === undefined && args.find((arg) => !arg.startsWith('-'));
  return script && RELATIVE_SCRIPT.test(script) ? 'The path of the script is relative.' : undefined;
}

const has =
  (oddity: EntryPlace['oddities'][number], words: string): EntryFact['fault'] =>
  (_entry, { oddities }) =>
    oddities.includes(oddity) ? words : undefined;

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
    fault: relativePart,
    does: 'The host does not start in the project’s folder.',
    advice: 'Write the whole path.',
    source: 'https://modelcontextprotocol.io/docs/tools/debugging',
    on: '2026-11-30',
  },
  {
    id: 'desktop-path',
    host: 'claude-desktop',
    fault: ({ target }, { platform, program = '' }) =>
      platform !== 'win32' && target.transport === 'stdio' && program !== target.command && MANAGED.test(program)
        ? `\`${target.command}\` is from a version manager, which only shells have on their PATH.`
        : undefined,
    does: 'The host may not find it.',
    advice: 'Write its whole path.',
    source: 'https://github.com/tomaspavlin/rohlik-mcp/issues/6',
    on: '2025-10-11',
    isReported: true,
  },
  {
    id: 'desktop-bom',
    host: 'claude-desktop',
    fault: has('byte-order-mark', 'The file begins with a byte order mark.'),
    does: 'The host can’t read it, and may write it again without its servers.',
    advice: 'Save it as UTF-8 without the mark.',
    source: 'https://github.com/tradesdontlie/tradingview-mcp/issues/406',
    on: '2026-07-28',
    isReported: true,
    isOfFile: true,
  },
  {
    id: 'desktop-comments',
    host: 'claude-desktop',
    fault: has('relaxed', 'The file has comments or trailing commas.'),
    does: 'The host can’t read it.',
    advice: 'Remove them.',
    source: 'https://github.com/anthropics/claude-ai-mcp/issues/891',
    on: '2026-11-29',
    isReported: true,
    isOfFile: true,
  },
  {
    id: 'cc-comments',
    host: 'claude-code',
    fault: has('relaxed', 'The file has comments or trailing commas.'),
    does: 'The host can’t read it, and may write its own config again without its servers.',
    advice: 'Remove them.',
    source: 'https://github.com/anthropics/claude-code/issues/69354',
    on: '2026-06-18',
    isReported: true,
    isOfFile: true,
  },
  {
    id: 'cc-url-type',
    host: 'claude-code',
    fault: ({ target }) => (target.transport === 'auto' ? 'The entry has a URL and no `type`.' : undefined),
    does: 'The host leaves it out, and says so in its debug log only.',
    advice: 'Add `"type": "http"`.',
    source: 'https://github.com/21st-dev/magic-mcp/issues/82',
    on: '2026-09-16',
    isReported: true,
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
  {
    id: 'config-utf16',
    fault: has('utf-16', 'The file is UTF-16.'),
    does: 'JSON between programs is UTF-8, so a host may refuse it.',
    advice: 'Save it as UTF-8.',
    source: 'https://www.rfc-editor.org/rfc/rfc8259#section-8.1',
    on: '2017-12-01',
  },
  {
    id: 'docker-stdin',
    fault: ({ target }) => {
      const container = target.transport === 'stdio' && containerCommand(target.command, target.args);
      return container && !container.isInteractive ? `\`${container.shown}\` has no \`-i\`.` : undefined;
    },
    does: 'The container gets no input, so the server ends at once.',
    advice: 'Add `-i` before the image.',
    source: 'https://docs.docker.com/reference/cli/docker/container/run/',
    on: '2026-11-30',
  },
  {
    id: 'dead-path',
    fault: (_entry, { missing }) => {
      const first = missing.find((path) => !isLeft(path));
      if (first === undefined) return undefined;
      const isPath = /[/\\]/.test(first);
      return `\`${first.slice(0, PATH_CHARS)}\` is not on ${isPath ? 'this machine' : 'the PATH of this shell'}.`;
    },
    does: 'A host that does not find it can’t start the server.',
    advice: 'Correct the path, or install it.',
  },
  {
    id: 'placeholder-left',
    fault: (entry) => {
      const [first, ...more] = leftPlaceholders(entry);
      const others = more.length > 0 ? ` and ${more.length} more` : '';
      return first === undefined ? undefined : `${first}${others} still has the placeholder of an example.`;
    },
    does: 'Hosts pass it on as it is.',
    advice: 'Put the real value there.',
  },
];

/** Finds what hosts stumble over in an entry. They start no server that the entry disables. */
export const entryObstacles: EntryCheck = (entry, place) =>
  (entry.disabled ? [] : ENTRY_FACTS)
    .filter(({ host = place.host, isOfFile }) => host === place.host || (isOfFile && place.host === ''))
    .flatMap(({ id, host, fault, does, advice, source, on, isReported }) => {
      const words = fault(entry, place);
      if (words === undefined) return [];
      const known = { ...(source !== undefined && { source, on }), ...(isReported && { isReported }) };
      const habit = host === undefined || host === place.host ? does : does.replace('The host', hostOf(host).title);
      return [{ fact: id, words: `${words} ${habit} ${advice}`, ...known }];
    });
