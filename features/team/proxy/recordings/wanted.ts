import { existsSync } from 'node:fs';
import { readQuery, type WantedRecordings } from '@/features/team/lib/summary/find-recordings';
import { isS3Url } from '@/features/team/proxy/bucket/s3-address';
import { choiceOf } from '@/proxy/cli/choice';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import { readSince } from '@/proxy/commands/shared/file-access';
import { moreText, readLimit } from '@/proxy/commands/shared/limit';

/** Reads a query and `--since`. Throws an ExitError. */
export function readWanted(query: string, given: ParsedOptions): WantedRecordings {
  const wanted = readQuery(query, Date.now());
  if ('wrong' in wanted) throw usageError(wanted.wrong);
  const since = readSince(given);
  return since === undefined ? wanted : { ...wanted, since };
}

/** The rows of a list that are shown. */
interface Rows<T> {
  readonly rows: readonly T[];
  /** Number of the first row, counted from 1. */
  readonly first: number;
  /** Says how to see further rows; '' if there are none. */
  readonly more: string;
}

/** Takes the rows that `--limit` chooses. `usual`: the limit without it. Throws an ExitError. */
export function rowsOf<T>(all: readonly T[], given: ParsedOptions, usual?: number): Rows<T> {
  const limit = readLimit(given, usual);
  const more = limit.last < all.length ? ` ${moreText(limit)}` : '';
  return { rows: all.slice(limit.first - 1, limit.last), first: limit.first, more };
}

/** Reads `--cache`, which is about a bucket. Throws an ExitError. */
export function readCache(given: ParsedOptions): string | undefined {
  const cache = lastValue(given, 'cache');
  return cache === undefined ? undefined : choiceOf('--cache', cache, ['only', 'refresh']);
}

const VERBS = ['push', 'outbox', 'pull'];

/** Returns the exit code of a list. Says which query has no match, and what may have been meant. */
export function endList(words: readonly string[], found: number, { printNote }: CommandContext): ExitCode {
  const [word, ...others] = words.filter((each) => !isS3Url(each));
  if (word === undefined || found > 0) return EXIT.fine;
  const query = [word, ...others].join(' ').slice(0, 60);
  const taken = `mcp-inspect: Searched for \`${query}\`.`;
  const verb = closest(word, VERBS);
  if (existsSync(word)) printNote(`${taken} To read files, use \`report\` or \`search\`.`);
  else printNote(verb === undefined ? taken : `${taken} Did you mean \`recordings ${verb}\`?`);
  return EXIT.serverError;
}
