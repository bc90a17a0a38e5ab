import { docsUrl } from '@/lib/wire/docs-url';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { isGiven, lastValue, type RunCommand, readNumberOption } from '@/proxy/cli/grammar';
import { readServerOptions } from '@/proxy/cli/server-options';
import { endOnSignals } from '@/proxy/cli/signals';
import { bytesIn, msIn, tapLine } from '@/proxy/servers/tap-line';
import { runTap } from '../tap';

const MOST_PORTS = 65_535;
/** Options of a tap of a command, and of a tap of a URL. */
const ONLY_HTTP = ['port', 'listen', 'tls', 'allow-link-local'];

/** Runs a tap whose command line only the grammar of all commands could read. */
export const run: RunCommand = async (context) => {
  const { given, server } = context.request;
  const [size, age] = [lastValue(given, 'rotate.size'), lastValue(given, 'rotate.age')];
  const [url, record, otel] = [lastValue(given, 'http'), lastValue(given, 'record'), given.has('otel.on')];
  if (size !== undefined && bytesIn(size) === undefined) {
    throw usageError(`\`--rotate size=${size.slice(0, 60)}\` is invalid: give a size such as 64MB.`);
  }
  if (age !== undefined && msIn(age) === undefined) {
    throw usageError(`\`--rotate age=${age.slice(0, 60)}\` is invalid: give an age such as 12h or 7d.`);
  }
  if (record !== undefined && record !== 'off') {
    throw usageError('`--record` of a tap can only be off: a tap names its recordings itself.');
  }
  if (record && isGiven(given, 'otel')) {
    throw usageError('`--otel` is about what is recorded: remove `--record off`, or `--otel`.');
  }
  if (url !== undefined) {
    if (otel) throw usageError('`--otel on` works only for a command. Remove `--otel on` or `--http`.');
    return runHttp(context, url);
  }
  const only = ONLY_HTTP.find((name) => isGiven(given, name));
  if (only !== undefined) throw usageError(`\`--${only}\` works only for a server at a URL: add \`--http URL\`.`);
  const line = tapLine((name) => given.get(name), server);
  if (line && /^https?:\/\//i.test(server[0]!)) {
    throw usageError(
      `A server at a URL needs \`--http\`: write \`mcp-inspect tap --http ${server[0]!.slice(0, 200)}\`.`,
    );
  }
  if (!line || /^[a-z]+:\/\//i.test(server[0]!)) {
    throw usageError('`tap` needs the command of a server: write `mcp-inspect tap -- node server.js`.');
  }
  return runTap(line, context.version);
};

/** Passes and records what hosts and a server at a URL say, until a signal. */
async function runHttp({ request, version, printNote }: Parameters<RunCommand>[0], text: string): Promise<ExitCode> {
  const { given } = request;
  if (request.server.length > 0) throw usageError('A tap has one server: remove `--http`, or the command after `--`.');
  const port = lastValue(given, 'port');
  const [address = '127.0.0.1', ...names] = lastValue(given, 'listen')?.split(',') ?? [];
  const shared = tapLine((name) => given.get(name), ['url'])!;
  const { tls, allowLinkLocal } = readServerOptions({ ...request, server: [text] });
  const { startHttpTap } = await import('../http/http-tap');
  const line = {
    ...shared,
    url: readUrl(text),
    address,
    names,
    tls,
    allowLinkLocal,
    port: port === undefined ? 0 : readNumberOption('port', port, MOST_PORTS),
  };
  const tap = await startHttpTap(line, { version, note: printNote }).catch((error: unknown) => {
    throw isFailure(error) ? usageError(`${error.message} ${error.advice}`) : error;
  });
  endOnSignals({
    shutdown: () => tap.close(),
    hasServers: () => false,
    say: printNote,
    failureCode: EXIT.internal,
  });
  printNote(
    `Put this URL into the host, in place of the server’s. ${docsUrl('tap')} lists what does not work through a tap.`,
  );
  process.stdout.write(`${tap.url}\n`);
  return new Promise<never>(() => {});
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(`\`--http ${text.slice(0, 200)}\` is not an http or https URL: correct it.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError(
      'The URL of `--http` can’t have a user name or password: let the host send an Authorization header.',
    );
  }
  url.hash = '';
  return url;
}
