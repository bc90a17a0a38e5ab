import { join } from 'node:path';
import { callTimes } from '@/features/team/lib/summary/call-times';
import { findRecordings, type WantedRecordings } from '@/features/team/lib/summary/find-recordings';
import type { ListedRecording } from '@/features/team/lib/summary/listed-recording';
import { BucketRecordings, type FillProgress } from '@/features/team/proxy/bucket/bucket-recordings';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { type S3Address, s3Url } from '@/features/team/proxy/bucket/s3-address';
import { StoreError } from '@/features/team/proxy/bucket/store-error';
import { SummaryCache } from '@/features/team/proxy/bucket/summary-cache';
import { countOf, formatBytes, formatCount, formatDate, formatLength } from '@/lib/wire/format';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { readBucketOptions } from '../bucket-options';
import { endList, readCache, rowsOf } from './wanted';

/** Rows, unless `--limit` says otherwise. */
const ROWS = 50;
const HEADINGS = [
  'STARTED',
  'SERVER',
  'HOST',
  'REQUESTS',
  'ERRORS',
  'CALL TIMES',
  'DURATION',
  'SIZE',
  'TAGS',
  'RECORDING',
];
/** Characters of a digest that a list shows: enough to find the recording by them. */
const SHOWN_DIGEST = 12;

/** Lists the recordings of a bucket that match a query. */
export async function listBucket(context: CommandContext, from: string, wanted: WantedRecordings): Promise<ExitCode> {
  const { request, version, printText, printNote, status } = context;
  const { given } = request;
  const cached = readCache(given);
  const { store, address } = await openStore(from, { version, env: process.env, ...readBucketOptions(given) });
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    const cache = await SummaryCache.open(join(ownRecordingsFolder(), '..'), address);
    const recordings = new BucketRecordings(store, cache, Date.now);
    if (cached !== 'only') {
      await recordings.fill({
        since: wanted.since?.slice(0, 10),
        all: cached === 'refresh',
        signal: stop.signal,
        onProgress: (progress) => status.show(progressLine(progress)),
      });
    }
    status.end();
    const found = findRecordings(recordings.recordings, wanted);
    const page = rowsOf(found, given, given.has('json') ? undefined : ROWS);
    if (given.has('json')) printText(terminalJson(page.rows.map((row) => ({ ...row, url: s3Url(address, row.key) }))));
    else process.stdout.write(tableOf(page, found.length, recordings, address, process.stdout.columns));
    if (recordings.unlisted > 0) printNote(unlistedNote(recordings.unlisted));
    return endList(request.words, found.length, context);
  } catch (error) {
    status.end();
    if (!(error instanceof StoreError) || error.code !== 'store-cancelled') throw error;
    printNote('Interrupted. The summaries that were read stay on this machine: run it again to go on.');
    return EXIT.interrupted;
  } finally {
    process.off('SIGINT', interrupt);
    store.close();
  }
}

/** Says how far the fill is. */
function progressLine({ done, of, listing }: FillProgress): string {
  return `Reading summaries: ${formatCount(done)} of ${formatCount(of)}${listing ? ' or more' : ''}. Ctrl-C keeps them.`;
}

function tableOf(
  { rows, first, more }: ReturnType<typeof rowsOf<ListedRecording>>,
  count: number,
  all: BucketRecordings,
  address: S3Address,
  width: number | undefined,
): string {
  const place = s3Url(address);
  if (rows.length === 0) {
    const none =
      all.recordings.length === 0 ? `No recordings in ${place}. ${emptyAdvice(address)}` : 'No recording matches.';
    return plainText(`${count === 0 ? none : 'There are no further recordings.'}\n`);
  }
  const sum = plainText(
    `${formatCount(first)} to ${formatCount(first + rows.length - 1)} of ${countOf(count, 'recording')} in ${place}.`,
  );
  const open = plainText(`To open one: mcp-inspect open ${place}/${shownDigest(rows[0]!.key)}`);
  return `${table(HEADINGS, rows.map(cellsOf), width)}\n\n${sum}${more}\n${open}\n`;
}

/** Says what to check if nothing is there. Other prefixes are not listed: the keys may not be allowed to. */
function emptyAdvice({ prefix }: S3Address): string {
  return prefix === ''
    ? 'Check the name of the bucket.'
    : `Only the prefix ${prefix} was looked at: check that recordings are pushed with the same prefix.`;
}

function cellsOf(row: ListedRecording): readonly string[] {
  const { at, server, version, host = '', requests, errors, durationMs, bytes, tags, key, check, incomplete } = row;
  return [
    formatDate(at),
    [server, version, check && '(check)', incomplete && '(incomplete)'].filter(Boolean).join(' '),
    host,
    formatCount(requests),
    errors === 0 ? '' : formatCount(errors),
    callTimes(row),
    formatLength(durationMs * 1000),
    formatBytes(bytes),
    tags.join(', '),
    shownDigest(key),
  ];
}

/** Returns what commands take after the address of the bucket. */
function shownDigest(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, SHOWN_DIGEST);
}

/** Says that recordings could not be listed. */
function unlistedNote(count: number): string {
  return `${countOf(count, 'recording')} can’t be listed: the summary is damaged, newer, or of another recording.`;
}
