import { split } from 'shlex';
import { LIMITS } from '@/lib/wire/limits';
import { type PublicUrl, readPublicUrl } from '@/proxy/http/addresses';
import { usageError } from './exit-code';
import { isGiven, lastValue, type ParsedOptions, readNumberOption } from './grammar';

/** The longest time in milliseconds that servers may be kept after the last tab: a week. */
const VIEWER_GRACE_MAX_MS = 7 * 24 * 60 * 60_000;

/** Options of the page. */
export interface PageOptions {
  /** Records nothing. */
  readonly noRecord: boolean;
  /** File for the first connection. */
  readonly record?: string;
  /** Absent: the default port, or the next free one after it. 0: any. */
  readonly port?: number;
  /** Address to listen on; absent: 127.0.0.1. */
  readonly host?: string;
  /** Further names that browsers may use for it. */
  readonly hostNames: readonly string[];
  /** The page's address behind a port mapping, tunnel or reverse proxy. */
  readonly publicUrl?: PublicUrl;
  readonly open: boolean;
  /** Asks in the terminal before a command of the page starts. */
  readonly confirmCommands: boolean;
  /** The receiver of spans: a URL, or `env`. Absent: none. */
  readonly otlp?: string;
  /** Milliseconds that servers outlive the last tab. */
  readonly keepMs: number;
  /** Re-run on save for the server of the command line. `on` from the start, or once the page turns it on. */
  readonly watch: { readonly on: boolean; readonly globs: readonly string[]; readonly build?: readonly string[] };
}

/** Reads the options of the page. Throws an ExitError for invalid values. */
export function readPageOptions(given: ParsedOptions): PageOptions {
  const [host, ...hostNames] = lastValue(given, 'listen')?.split(',') ?? [];
  const port = lastValue(given, 'port');
  const noRecord = lastValue(given, 'record') === 'off';
  const record = readRecord(given);
  const [otlp, publicUrl] = ['otel.export', 'page.url'].map((name) => lastValue(given, name));
  if (given.has('to') && noRecord) {
    throw usageError('`--to` uploads recordings, but `--record off` makes none: remove one of them.');
  }
  return {
    noRecord,
    hostNames,
    open: !given.has('no-open'),
    confirmCommands: given.has('page.confirm-commands'),
    keepMs: readLinger(lastValue(given, 'page.linger')),
    watch: readWatch(given),
    ...(host !== undefined && { host }),
    ...(record !== undefined && { record }),
    ...(otlp !== undefined && { otlp }),
    ...(publicUrl !== undefined && { publicUrl: readPublic(publicUrl) }),
    ...(port !== undefined && { port: readNumberOption('port', port, 65_535) }),
  };
}

/**
 * Reads the name of the new recording; undefined for none, or `off`. Throws an ExitError for a name that no list of
 * recordings would show.
 */
export function readRecord(given: ParsedOptions): string | undefined {
  const record = lastValue(given, 'record');
  if (record === 'off') return undefined;
  if (record !== undefined) requireRecordingName(record, '--record');
  return record;
}

/** Throws an ExitError for a name that no list of recordings would show. `what` is what it was given to. */
export function requireRecordingName(path: string, what: string): void {
  if (/[^/\\]\.mcpr\.jsonl$/.test(path)) return;
  const name = path.replace(/(?:\.mcpr)?(?:\.jsonl?|\.gz)?$/, '');
  throw usageError(
    `\`${what}\` needs a file name that ends in \`.mcpr.jsonl\`: write \`${what} ${name || 'NAME'}.mcpr.jsonl\`.`,
  );
}

/** Reads the options of re-run on save. Throws an ExitError. */
export function readWatch(given: ParsedOptions): PageOptions['watch'] {
  const build = lastValue(given, 'on-save.build');
  return {
    on: ['watch', 'on-save'].some((name) => isGiven(given, name)),
    globs: given.get('on-save.files') ?? [],
    ...(build !== undefined && { build: readBuild(build) }),
  };
}

/** Splits a command line into words as a POSIX shell would. No shell runs it. */
function readBuild(text: string): readonly string[] {
  let words: readonly string[] = [];
  try {
    words = split(text);
  } catch {
    throw usageError(`\`--on-save build=${text}\` has an unclosed quote: close it, or escape it with \\\\.`);
  }
  const operator = words.find((word) => /^(?:&&?|\|\|?|;|[<>]+)$/.test(word));
  if (operator !== undefined) {
    throw usageError(
      `\`--on-save build\` runs no shell, so it can’t have \`${operator}\`: put the commands into a script.`,
    );
  }
  if (words.length > 0) return words;
  throw usageError('`--on-save build` is empty: name the command that builds the server.');
}

function readPublic(text: string): PublicUrl {
  const publicUrl = readPublicUrl(text);
  if (publicUrl) return publicUrl;
  throw usageError(
    `\`--page url=${text}\` is not an address of the page: write \`http://HOST[:PORT][/PATH]\`, or https://, as the browser shows it.`,
  );
}

function readLinger(text: string | undefined): number {
  return text === undefined
    ? LIMITS.viewerGraceMs
    : readNumberOption('page.linger', text, VIEWER_GRACE_MAX_MS / 1000) * 1000;
}
