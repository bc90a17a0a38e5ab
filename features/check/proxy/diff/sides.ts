import { docsUrl } from '@/lib/wire/docs-url';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandRequest, lastValue, parseCommandLine, type Subcommand } from '@/proxy/cli/grammar';
import { CLIENT_OPTIONS, SERVER_OPTIONS } from '@/proxy/cli/options';

/** Separates the command lines of the two sides. */
const BETWEEN = '---';

/** The options of a side that name its server. The second side has those of the first only if it names no server. */
const ABOUT_SERVER: ReadonlySet<string> = new Set(
  SERVER_OPTIONS.map(({ name }) => name).filter((name) => name !== 'protocol' && name !== 'allow-link-local'),
);
const NAMES_SERVER = ['server', 'config', 'demo'];

/** True if a request names a server. */
export function namesServer({ server, given }: CommandRequest): boolean {
  return server.length > 0 || NAMES_SERVER.some((name) => given.has(name));
}

/** The second side is read like a command line without a subcommand. */
const SIDE: Subcommand = {
  name: '',
  summary: '',
  usage: '',
  words: [0, 0],
  server: 'optional',
  options: [...CLIENT_OPTIONS, ...SERVER_OPTIONS],
  examples: [],
  load: () => Promise.reject(usageError(WRONG)),
};

const WRONG = `After \`${BETWEEN}\`, write options and the command or URL of the second side.`;

/**
 * Splits a request at `---`. The second side has the options of the first that it does not give itself, and its server
 * if it names none. Throws an ExitError.
 */
export function sidesOf(request: CommandRequest): readonly [CommandRequest, CommandRequest] {
  const { server, given } = request;
  const at = server.indexOf(BETWEEN);
  if (at < 0) {
    const problem = server.includes('--') ? 'The two servers are separated by `--`' : 'There is no second side';
    throw usageError(
      `${problem}: write \`${BETWEEN}\` between the two servers, \`-- A ${BETWEEN} B\`. See ${docsUrl('diff', 'two-servers')}.`,
    );
  }
  const rest = server.slice(at + 1);
  if (rest.length === 0) throw usageError(WRONG);
  const none = { tasks: [], topics: [], renamed: new Map(), reserved: new Set<string>() };
  const line = parseCommandLine(rest, { main: SIDE, ...none });
  if (line.kind !== 'run') throw usageError(WRONG);
  const second = line.request;
  const isNamed = namesServer(second);
  const inherited = [...given].filter(
    ([name]) =>
      !second.given.has(name) && !(isNamed && name !== 'otel.export' && ABOUT_SERVER.has(name.split('.')[0]!)),
  );
  const first = { ...request, server: server.slice(0, at) };
  return [
    first,
    {
      command: request.command,
      words: [],
      given: new Map([...inherited, ...second.given]),
      server: isNamed ? second.server : first.server,
    },
  ];
}

/** Options whose values tell two sides apart. None has a secret. */
const TELLING = ['protocol', 'capabilities', 'transport', 'client'];
/** Most characters of a value that are shown. */
const SHOWN_CHARS = 60;

/** Returns the options that only this side has. None has a secret. */
export function distinguishingOptions({ given }: CommandRequest, other: CommandRequest): string {
  const own = TELLING.flatMap((name) => {
    const value = lastValue(given, name);
    return value === undefined || value === lastValue(other.given, name)
      ? []
      : [`--${name} ${value.slice(0, SHOWN_CHARS)}`];
  });
  return own.length === 0 ? '' : ` (${own.join(' ')})`;
}
