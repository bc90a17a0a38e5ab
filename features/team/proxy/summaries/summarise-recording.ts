import type { RecordingSummary } from '@/features/team/lib/summary/recording-summary';
import { Summariser, type SummaryFacts } from '@/features/team/lib/summary/summarise';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { runningSha256 } from '@/proxy/files/native-codecs';
import type { OpenedFile } from '@/proxy/recorder/open-file';
import { readPortions } from '@/proxy/recorder/read-traffic';

interface SummariseOptions extends Pick<SummaryFacts, 'tags' | 'author' | 'commit' | 'ci'> {
  /** Stops rules that hang. */
  readonly within: TimeLimit;
  readonly onRead?: (progress: ReadingProgress) => void;
}

/**
 * Reads a recording once and returns its summary. Rejects with a RecordingError for anything but a recording, and with
 * the system's error.
 */
export async function summariseRecording(
  file: Pick<OpenedFile, 'bytes' | 'length' | 'parts'>,
  { within, onRead = () => {}, ...facts }: SummariseOptions,
): Promise<RecordingSummary> {
  const digest = runningSha256();
  let hashed = 0;
  const hash = (chunk: Uint8Array) => {
    digest.update(chunk);
    hashed += chunk.length;
  };
  const bytes = file.bytes.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        hash(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  const { reader, portions } = readPortions({ bytes, length: file.length }, onRead);
  const summariser = new Summariser(within);
  for await (const frames of portions) summariser.addFrames(frames);
  // Damage can end the reading early, but the digest is that of the file.
  if (hashed < file.length) {
    const rest = await file.parts();
    try {
      while (hashed < file.length) hash(await rest.read(hashed, Math.min(file.length, hashed + CHUNK_BYTES)));
    } finally {
      await rest.close();
    }
  }
  return summariser.summary({
    ...facts,
    header: reader.reader.header!,
    sha256: digest.hex(),
    bytes: file.length,
    complete: reader.report?.complete === true && reader.failure === undefined,
  });
}

/** Bytes read at a time. */
const CHUNK_BYTES = 1024 * 1024;
