import { parentPort, workerData } from 'node:worker_threads';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Missed } from './gaps';
import { EXPORT_END_MS, openExport } from './open-export';
import type { FromThread, ThreadData, ToThread } from './recording-feed';
import { RecordingQueue } from './recording-queue';
import type { LastRecords, TapSession } from './recording-thread';
import { RingReader, type RingRecord } from './ring';
import { TapRecorder } from './tap-recorder';

// The entry of the thread that records a tapped session.
const port = parentPort!;
const { session, ring } = workerData as ThreadData<TapSession>;
const say = (message: FromThread): void => port.postMessage(message);
const onFailed = (failed: string): void => say({ failed });
const exporter = await openExport(session, (note) => say({ note }));
let made: TapRecorder | undefined;
/** Makes the recording with its first record: there is none of a server that can't be started. */
function recorded(): TapRecorder {
  made ??= new TapRecorder(session, onFailed, exporter);
  return made;
}

function record({ kind, time, bytes }: RingRecord, pause: () => Promise<void>): Promise<void> | undefined {
  const recorder = recorded();
  if (kind === 'missed') recorder.onMissed(JSON.parse(String(bytes)) as Missed);
  else if (kind === 'event') recorder.logEvent(JSON.parse(String(bytes)) as LifecycleEvent, time);
  else return recorder.onPassed(kind, time, bytes, pause);
  return undefined;
}

const queue = new RecordingQueue(new RingReader(ring, () => say('dropped')), record);
say('dropped');
queue.wake();
port.on('message', (message: ToThread<LastRecords>) => {
  if (message === 'wake') queue.wake();
  else {
    void queue
      .end()
      .then(() => recorded().end(message))
      .then(() => exporter?.end(EXPORT_END_MS))
      .then(() => say({ ended: true }));
  }
});
