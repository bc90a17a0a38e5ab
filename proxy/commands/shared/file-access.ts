import { readTime } from '@/lib/wire/read-time';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import { readLimit } from './limit';
import { type FileAccess, type LocalFile, localFile } from './recording-files';

/** The part of a command’s context that says how its files are read. */
export interface FileContext {
  readonly version: string;
  readonly request: { readonly given: ParsedOptions };
}

/** Returns how a command reads the words FILE… of its line. Throws an ExitError. */
export function fileAccess({ version, request }: FileContext, signal?: AbortSignal): FileAccess {
  return {
    version,
    env: process.env,
    signal,
    given: request.given,
    since: readSince(request.given),
  };
}

/** As {@link fileAccess}, for commands whose `--limit` chooses files. */
export function chosenFileAccess(context: FileContext): FileAccess {
  return { ...fileAccess(context), limit: readLimit(context.request.given) };
}

/** Returns the file that a word FILE of the line names. Throws an ExitError and a StoreError. */
export function namedFile(word: string, context: FileContext): Promise<LocalFile> {
  return localFile(word, fileAccess(context));
}

/** Reads `--since`, as ISO 8601 in UTC. Throws an ExitError. */
export function readSince(given: ParsedOptions): string | undefined {
  const text = lastValue(given, 'since');
  const time = text === undefined ? undefined : readTime(text, Date.now());
  if (text === undefined || time !== undefined) return time;
  throw usageError(`\`--since ${text.slice(0, 60)}\` is not a time: write 2026-11-26, 7d or 12h.`);
}
