import { parentPort, workerData } from 'node:worker_threads';
import { RecordingQueue } from '@/features/tap/proxy/recording-queue';
import { EXPORT_END_MS, openExport } from '../open-export';
import type { FromThread, ThreadData, ToThread } from '../recording-feed';
import { RingReader } from '../ring';
import type { LastExchanges } from './exchange-feed';
import { ExchangeRecorder } from './exchange-recorder';
import type { HttpTapSession } from './recorded-session';
import type { FirstMessagesWanted, SessionNews } from './session-news';

// The entry of the thread that records what passes through an HTTP tap.
const port = parentPort!;
const { session, ring } = workerData as ThreadData<HttpTapSession>;
const say = (message: FromThread<SessionNews>): void => port.postMessage(message);
const onFailed = (failed: string): void => say({ failed });
const exporter = await openExport(session, (note) => say({ note }));
const recorder = new ExchangeRecorder(session, onFailed, (news) => say({ news }), exporter);
const queue = new RecordingQueue(new RingReader(ring, () => say('dropped')), (record, pause) =>
  recorder.onRecord(record, pause),
);
say('dropped');
queue.wake();
port.on('message', (message: ToThread<LastExchanges | FirstMessagesWanted>) => {
  if (message === 'wake') queue.wake();
  else if ('first' in message) recorder.reportFirst(message.first);
  else {
    void queue
      .end()
      .then(() => recorder.end(message.time))
      .then(() => exporter?.end(EXPORT_END_MS))
      .then(() => say({ ended: true }));
  }
});
