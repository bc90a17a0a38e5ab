import { basename } from 'node:path';
import { readKey } from '@/features/team/proxy/bucket/keys';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { readRecordingUrl } from '@/features/team/proxy/bucket/recording-url';
import { download } from '@/features/team/proxy/bucket/remote-recording';
import { s3Url } from '@/features/team/proxy/bucket/s3-address';
import { formatBytes, progressText } from '@/lib/wire/format';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { requireRecordingName } from '@/proxy/cli/page-options';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { untilInterrupted } from '@/proxy/commands/shared/until-interrupted';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';
import { readBucketOptions } from '../bucket-options';

/** Downloads a recording from a bucket. */
export const run: RunCommand = (context) => untilInterrupted((signal) => pull(context, signal));

async function pull(
  { request, version, printText, printNote, status }: CommandContext,
  signal: AbortSignal,
): Promise<ExitCode> {
  const [url = '', named] = request.words;
  const { place, find } = readRecordingUrl(url);
  if (named !== undefined) requireRecordingName(named, 'recordings pull');
  const { store, address } = await openStore(place, { version, env: process.env, ...readBucketOptions(request.given) });
  let file = named ?? '';
  try {
    const key = await find(store, signal);
    file = named ?? basename(key);
    const onRead = (progress: { done: number; of: number }) => status.show(`Downloading: ${progressText(progress)}`);
    const bytes = await writeNewFile(file, download(store, { address, key }, { onRead, signal }));
    status.end();
    const sha256 = readKey(key)?.sha256;
    if (request.given.has('json')) printText(terminalJson({ file, url: s3Url(address, key), bytes, sha256 }));
    const checked = sha256 ? ' Its digest is that of its name in the bucket.' : '';
    printNote(`Wrote ${file}, ${formatBytes(bytes)}.${checked}`);
    return EXIT.fine;
  } catch (error) {
    status.end();
    // After a cancel, the part that was written is gone.
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw usageError(`\`${file}\` already exists: name a new file.`);
    if (/^E[A-Z]+$/.test(code ?? ''))
      throw new ExitError(EXIT.internal, `Could not write ${file}: ${writeErrorReason(error)}.`);
    throw error;
  } finally {
    store.close();
  }
}
