import { systemClock } from '@/lib/wire/clock';
import { Api } from './api';
import { Client } from './client';
import { paint } from './paint';
import { openWebSocket } from './socket';

/** The client of this page. Call `start()` to open its link. */
export function createClient(token: string): Client {
  const api = new Api(token, (path, init) => fetch(path, init));
  return new Client({ token, api, open: openWebSocket, clock: systemClock, paint });
}
