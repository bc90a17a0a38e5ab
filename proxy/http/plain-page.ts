import { createHash } from 'node:crypto';
import type { Reply } from './reply';

const STYLE =
  ':root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em}h1{font-size:1.15em}pre{font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere;padding:.6em .8em;border:1px solid #8886;border-radius:4px}';

/** Nothing but its own style: no script runs in it, and it asks for nothing. */
const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A short page for browsers that come without a token. `body` is HTML: put nothing from a request into it unchecked.
 */
export function plainPage(status: number, heading: string, body: string): Reply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style></head>
<body><h1>${heading}</h1>${body}</body></html>
`;
  return { status, type: 'text/html; charset=utf-8', body: html, csp: CSP };
}
