import { plainPage } from '../http/plain-page';
import type { Reply } from '../http/reply';

/** What a browser is shown that comes back from an authorization server. Nothing of the request is in it. */
export function callbackPage(taken: boolean): Reply {
  const [heading, text] = taken
    ? ['You can close this tab', 'mcp-inspect has the answer. How it went is said there.']
    : ['This sign-in is over', 'No connection of mcp-inspect waits for it any more. Begin again there.'];
  return plainPage(taken ? 200 : 400, heading, `<p>${text}</p>`);
}
