import { resolve } from 'node:path';
import type { Placeholders } from '@/lib/redact/placeholders';
import { type ReviewedSource, reviewSource } from '@/lib/sharing/review-source';
import type { FrameSelection } from '@/lib/sharing/selection';
import { writeSharedCopy } from '@/lib/sharing/shared-recording';
import { progressText } from '@/lib/wire/format';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, CommandRequest } from '@/proxy/cli/grammar';
import { runningSha256, sha256Of } from '@/proxy/files/native-codecs';
import { openErrorText } from '@/proxy/recorder/open-file';
import { type FileSource, fileSource } from './file-source';
import { readChoices } from './share-choices';
import type { SharePolicy } from './share-policy';

/** All frames. */
export const WHOLE: FrameSelection = { without: [] };

/** The copy that `share` makes of a whole recording by itself, with the decisions of a policy. */
export interface AutomaticCopy {
  /** Writes the copy. Its digest is in the end line. */
  write(): AsyncIterable<Uint8Array>;
  /** Number of values that nobody decided on and that are possibly secret, and of places that could not be checked. */
  readonly left: number;
  /** Number of places masked so far. */
  masked(): number;
  close(): Promise<void>;
}

interface AutomaticOptions extends Pick<CommandContext, 'version' | 'status'> {
  /** The same ones make the same copy. */
  readonly placeholders: Placeholders;
  /** Once it is aborted, reading fails. */
  readonly signal?: AbortSignal;
  /** See `openErrorText`. */
  readonly where: string;
  /** Name of the file for people. Absent: its path. */
  readonly shown?: string;
}

/** Reviews a recording for such a copy. Throws an ExitError. */
export async function automaticCopy(
  file: string,
  policy: SharePolicy | undefined,
  { version, status, ...opening }: AutomaticOptions,
): Promise<AutomaticCopy> {
  const { source, looked } = await openReviewed(file, WHOLE, status, opening);
  const { review, of, selection, facts } = looked;
  const request: CommandRequest = { command: 'share', words: [file], given: new Map(), server: [] };
  try {
    const choices = readChoices(request, review, facts, policy);
    const redaction = choices.redaction(review);
    const { unlisted, unchecked } = review.findings();
    const form = { selection, of, redaction, dropped: choices.dropped, by: `mcp-inspect/${version}` };
    return {
      write: () => writeSharedCopy(source, { ...form, contentDigest: sha256Of, digest: runningSha256() }),
      left: choices.open.length + unlisted + unchecked,
      masked: () => redaction.count,
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Reads the whole file once, so that an unreadable one fails before anything is written. */
export async function openReviewed(
  file: string,
  selection: FrameSelection,
  status: CommandContext['status'],
  {
    placeholders,
    signal,
    where = 'after `share`',
    shown = file,
  }: Partial<Omit<AutomaticOptions, 'version' | 'status'>> = {},
): Promise<{ source: FileSource; looked: ReviewedSource }> {
  let source: FileSource | undefined;
  const onRead = ({ done, of }: ReadingProgress): void => {
    if (done < of) status.show(`Reading ${shown}: ${progressText({ done, of })}`);
    else status.end();
  };
  try {
    source = await fileSource(resolve(file), onRead, signal);
    return { source, looked: await reviewSource(source, selection, placeholders) };
  } catch (error) {
    await source?.close();
    throw usageError(`\`${shown}\` can’t be opened. ${openErrorText(error, where)}`);
  }
}
