/**
 * Cost of one very long line from a stdio server, recorded and sent to a viewer: the longest wait of another request
 * meanwhile, and the memory. `--mb=N` sets another length. The baseline, in the same run, is the wait while nothing
 * happens.
 */
import { readFileSync } from 'node:fs';
import { attached, fromRoot, inspect } from './inspected';

const MB = Number(process.argv.find((word) => /^--mb=\d+$/.test(word))?.slice('--mb='.length) ?? 100);

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];
const inspected = await inspect(server);
const status = () => readFileSync(`/proc/${inspected.process.pid}/status`, 'utf8');
const viewer = await attached(inspected);

/** Asks for a small answer again and again until `over`, and returns the longest wait in ms. */
async function longestWait(over: Promise<unknown>): Promise<number> {
  let [longest, asking] = [0, true];
  void over.then(() => {
    asking = false;
  });
  while (asking) {
    const begin = performance.now();
    await (await fetch(`http://127.0.0.1:${inspected.port}/host.json`)).text();
    longest = Math.max(longest, performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return longest;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const quiet = await longestWait(pause(2000));
let received = 0;
const arrived = new Promise<void>((resolve) => {
  viewer.onFrames = (frames) => {
    for (const { bytes } of frames) received += bytes.length;
    if (received > MB * 1e6) resolve();
  };
});
const begin = performance.now();
viewer.send({
  type: 'send-raw',
  ref: 'line',
  connection: 'c1',
  text: `{"jsonrpc":"2.0","id":"line","method":"line","params":{"bytes":${MB * 1e6}}}`,
  terminate: true,
});
const seconds = arrived.then(() => (performance.now() - begin) / 1000);
const busy = await longestWait(arrived.then(() => pause(5000)));
const peak = Number(/VmHWM:\s+(\d+)/.exec(status())?.[1]) / 1024;
console.log(`line        ${MB} MB reached the viewer after ${(await seconds).toFixed(1)} s`);
console.log(`wait        longest ${busy.toFixed(0)} ms, before ${quiet.toFixed(0)} ms (target ≤ 250 ms)`);
console.log(`memory      peak ${peak.toFixed(0)} MiB (target ≤ 450 MB)`);
viewer.socket.close();
await inspected.stop();
