import { createHash } from 'node:crypto';
import type { Reply } from '../http/reply';

const STYLE =
  ':root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em}h1{font-size:1.15em}';

/** Nothing but its own style: no script runs in it, and it asks for nothing. */
const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What a browser is shown that comes back from an authorization server. Nothing of the request is in it. */
export function callbackPage(taken: boolean): Reply {
  const [heading, text] = taken
    ? ['You can close this tab', 'mcp-inspect has the answer. How it went is said there.']
    : ['This sign-in is over', 'No connection of mcp-inspect waits for it any more. Begin again there.'];
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${heading}</title><style>${STYLE}</style></head>
<body><h1>${heading}</h1><p>${text}</p></body></html>
`;
  return { status: taken ? 200 : 400, type: 'text/html; charset=utf-8', body, csp: CSP };
}
