import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './recording-thread';
import { TapRecorder } from './tap-recorder';

// The entry of the thread that records a tapped session.
const port = parentPort!;
const { session, taken } = workerData as ThreadData;
const say = (message: FromThread): void => port.postMessage(message);
const recorder = new TapRecorder(session, (failed) => say({ failed }));

port.on('message', (message: ToThread) => {
  switch (message[0]) {
    case 'passed': {
      const [, stream, time, bytes] = message;
      const { length } = bytes;
      recorder.onPassed(stream, time, Buffer.from(bytes.buffer, bytes.byteOffset, length));
      void recorder.settled().then(() => Atomics.add(taken, 0, length));
      break;
    }
    case 'missed':
      recorder.onMissed(message[1]);
      break;
    case 'event':
      recorder.logEvent(message[1]);
      break;
    case 'end':
      void recorder.end(message[1], message[2]).then(() => say({ ended: true }));
  }
});
