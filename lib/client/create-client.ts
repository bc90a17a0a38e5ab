import { systemClock } from '@/lib/wire/clock';
import { pagePath } from '@/lib/wire/page-path';
import { Api } from './api';
import { Client } from './client';
import { DirectLink, type WorkerLike } from './direct-link';
import { paint } from './paint';
import { RecordSwitch } from './record-switch';
import { SettledKeys } from './settled-keys';
import { openWebSocket } from './socket';
import { readTabKey, takeTabKey } from './tab-key';

// In a variable, so that no bundler takes the worker for its own: it has to be a file of this very name.
const WORKER = '/direct/worker.js';

let direct: DirectLink | undefined;

/** The client of this page; without a token one that has no proxy. Call `start()` to open its link. */
export function createClient(token: string | undefined): Client {
  // The page's own connections outlive a client: another one has another proxy.
  direct ??= openDirectLink();
  if (token === undefined)
    return new Client({ direct, recordSwitch: new RecordSwitch(() => window.localStorage), paint });
  const api = new Api(token, (path, init) => fetch(pagePath(path), init));
  return new Client({ proxy: { token, api, open: openWebSocket, clock: systemClock }, direct, paint });
}

function openDirectLink(): DirectLink {
  const storage = () => window.sessionStorage;
  const link = new DirectLink({
    spawn: () => new Worker(pagePath(WORKER), { type: 'module' }) as WorkerLike,
    tabKey: () => takeTabKey(storage),
    mayHaveKept: () => readTabKey(storage) !== undefined,
    settled: new SettledKeys(storage),
  });
  window.addEventListener('beforeunload', (event) => {
    if (link.wouldLose) event.preventDefault();
  });
  return link;
}
