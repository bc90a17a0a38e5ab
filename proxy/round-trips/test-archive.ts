import { writeHar } from '@/lib/recording/har/write-har';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { Frame } from '@/lib/wire/frame';

/** Writes frames as an HTTP Archive, opens it as a recording and returns the frames read. */
export async function throughArchive(frames: readonly Frame[]): Promise<readonly Frame[]> {
  const har = await writeHar(oneByOne(frames), { at: '2026-01-31T12:00:00.000Z', version: '0.0.0-test' });
  const lines = new RecordingReader();
  const read: Frame[] = [];
  for await (const bytes of recordingBytes(new Blob([har!]).stream())) read.push(...lines.readChunk(bytes));
  return read;
}

/** Returns the messages among frames, each with an arrow for its direction. */
export function messagesOf(frames: readonly Frame[]): readonly string[] {
  return frames
    .filter(({ channel }) => channel === 'protocol')
    .map(({ direction, bytes }) => `${direction === 'to-server' ? '→' : '←'} ${new TextDecoder().decode(bytes)}`);
}

async function* oneByOne(frames: readonly Frame[]): AsyncGenerator<Frame> {
  yield* frames;
}
