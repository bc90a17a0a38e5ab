import { CALLBACK_PATH, type PendingSignIns } from './pending-sign-ins';
import { plainPage, type Reply } from './reply';
import type { HttpRoute } from './routes';

/**
 * Returns the callback route. It needs no token, because browsers arrive by a redirect from another site. Its answer
 * never contains anything of the request.
 */
export function callbackRoute(pending: Pick<PendingSignIns, 'handleCallback'>): HttpRoute {
  return {
    method: 'GET',
    path: CALLBACK_PATH,
    upgrade: false,
    access: 'open',
    handle: ({ query }) => callbackPage(pending.handleCallback(query)),
  };
}

function callbackPage(accepted: boolean): Reply {
  const [heading, text] = accepted
    ? ['You can close this tab', 'See mcp-inspect for the result of the sign-in.']
    : ['This sign-in has ended', 'No connection in mcp-inspect waits for it. Start again from there.'];
  return plainPage(accepted ? 200 : 400, heading, `<p>${text}</p>`);
}
