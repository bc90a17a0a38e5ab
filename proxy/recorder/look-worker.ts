import { parentPort, workerData } from 'node:worker_threads';
import { type LookWork, lookAtFrames } from './first-look';

const starts = workerData as Uint8Array;
const port = parentPort!;

port.on('message', (work: LookWork) => {
  const looked = lookAtFrames(work, starts);
  port.postMessage(looked, [looked.buffer]);
});
