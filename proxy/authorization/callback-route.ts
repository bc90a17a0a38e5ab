import type { HttpRoute } from '../http/routes';
import { CALLBACK_PATH, type CallbackDesk } from './callback-desk';
import { callbackPage } from './callback-page';

/**
 * The one route, besides the page and `/launch`, that needs no token: a browser comes by redirect from another site, and
 * sites don't know our token. It answers the same few words to everybody and only hands on what has a `state` that waits.
 */
export function callbackRoute(desk: Pick<CallbackDesk, 'take'>): HttpRoute {
  return {
    method: 'GET',
    path: CALLBACK_PATH,
    upgrade: false,
    access: 'open',
    handle: ({ query }) => callbackPage(desk.take(query)),
  };
}
