/** Echoes without a pause between them: a viewer may not send more commands a second than the limit, on average. */
const BURST = 12;
const PAUSE_MS = 80;

/** Times `echoes` calls of `ask` in bursts, in µs; the first third warms up and is left out. */
export async function roundTrips(echoes: number, ask: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < echoes; n++) {
    if (n % BURST === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const begin = performance.now();
    await ask(n);
    times.push((performance.now() - begin) * 1000);
  }
  return times.slice(echoes / 3);
}
