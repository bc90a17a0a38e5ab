import { LIMITS } from '@/lib/wire/limits';
import { decodeLine } from '../decode-line';
import type { RecordingEnd } from '../format';
import { LineSplitter } from '../line-splitter';
import type { ReadFrame } from '../recording-reader';
import { type RandomAccess, readFrom } from './random-access';

/**
 * Reads the notes after the indexes of a recording. `from` is the offset of the last frame's line, `last` its number
 * and time. `onEnd` gets each end line. At anything else it yields undefined and stops.
 */
export async function* readLaterNotes(
  file: RandomAccess,
  from: number,
  last: { readonly n: number; readonly time: number },
  version: number,
  onEnd: (end: Pick<RecordingEnd, 'forgotten' | 'early'>) => void = () => {},
): AsyncGenerator<ReadFrame | undefined> {
  let { n, time } = last;
  const splitter = new LineSplitter(LIMITS.recordedLineBytes);
  for await (const chunk of readFrom(file, from)) {
    for (const line of splitter.splitChunk(chunk)) {
      // The index has this line already.
      if (splitter.lineStart === 0) continue;
      const decoded = line && decodeLine(line, version);
      if (decoded?.is === 'end') onEnd(decoded);
      if (decoded?.is === 'index' || decoded?.is === 'end') continue;
      if (decoded?.is !== 'frame' || decoded.n !== n + 1 || decoded.frame.channel !== 'lifecycle') {
        yield undefined;
        return;
      }
      n = decoded.n;
      time = Math.max(decoded.frame.time, time);
      yield { ...decoded.frame, time, seq: n, at: from + splitter.lineStart, blobsAt: [], isJson: decoded.isJson };
    }
  }
  if (splitter.pendingBytes > 0) yield undefined;
}
