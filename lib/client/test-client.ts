import { vi } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { Api } from './api';
import { Client } from './client';
import { DirectLink } from './direct-link';
import type { Pace } from './paint';
import { TestProxy } from './test-proxy';

/** A started client with a proxy, a clock and an animation frame that a test drives. HTTP answers with `status`. */
export function setUpClient(status = 200) {
  const proxy = new TestProxy();
  const clock = new FakeClock();
  const paints: { readonly run: () => void; readonly pace: Pace }[] = [];
  const fetch = vi.fn(async () => new Response('{}', { status }));
  const client = new Client({
    proxy: { token: 'secret', api: new Api('secret', fetch), open: proxy.open, clock },
    direct: noDirectLink(),
    paint: (run, pace) => paints.push({ run, pace }),
  });
  client.start();
  const paintAll = () => {
    for (const { run } of paints.splice(0)) run();
  };
  return { proxy, clock, client, paints, paintAll, fetch };
}

/** A way to direct connections that nobody takes. */
export function noDirectLink(): DirectLink {
  const spawn = () => {
    throw new Error('There is no worker in this test.');
  };
  return new DirectLink({ spawn, tabKey: () => undefined, mayHaveKept: () => false, settled: new Set() });
}

/** Lets promises settle that wait for nothing else. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
