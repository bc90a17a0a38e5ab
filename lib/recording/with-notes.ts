import { movedNote } from './moved-note';
import { type FrameBehind, RecordingTail } from './recording-tail';
import { runningDigest } from './running-digest';

/**
 * A plain recording, and behind its end what was said of it afterwards, `notes` as the log has them in which it was opened. Rejects with
 * a RecordingError for what can't be read to its end.
 */
export async function withNotes(
  recording: ReadableStream<Uint8Array<ArrayBuffer>>,
  notes: readonly FrameBehind[],
): Promise<Blob> {
  if (notes.length === 0) return new Response(recording).blob();
  const tail = new RecordingTail(runningDigest());
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = recording.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    tail.push(chunk.value);
    chunks.push(chunk.value);
  }
  if (tail.failure) throw tail.failure;
  const numbered = notes.flatMap((note) => {
    const bytes = movedNote(note.bytes, (on) => tail.numberOf(on));
    return bytes ? [{ ...note, bytes }] : [];
  });
  const whole = new Blob(chunks).slice(0, tail.place.end);
  return new Blob([whole, tail.add(numbered)]);
}
