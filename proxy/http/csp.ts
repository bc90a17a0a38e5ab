import { createHash } from 'node:crypto';

/**
 * The Content-Security-Policy of one answer. Inline scripts run only if they are the ones in `html`, which must be a file
 * of our own build: Next's export has a few, and a static file cannot carry nonces. Without `html`, none run.
 *
 * `style-src` keeps 'unsafe-inline' because the editor sets its theme with style elements and attributes; what CSS could
 * leak through stays shut by img-src and font-src. Scripts go with it too: a worker obeys the policy of its own file.
 */
export function contentSecurityPolicy(html = ''): string {
  const scripts = new Set(Array.from(html.matchAll(INLINE_SCRIPT), (match) => sourceHash(match[1]!)));
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** The worker that talks to servers for the page. The page reaches nothing but us; what reaches others has its code from us. */
const DIRECT_WORKER = '/direct/worker.js';

/** For the worker of direct connections: it reaches servers of any origin, and runs nothing but itself. */
const DIRECT_WORKER_POLICY = [
  "default-src 'none'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** The policy of one file of the UI that is no page; undefined for the one that all answers have. */
export function policyOfFile(path: string): string | undefined {
  return path === DIRECT_WORKER ? DIRECT_WORKER_POLICY : undefined;
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

/** Browsers hash what their parser made of it, and parsers turn every line end into a line feed. */
function sourceHash(script: string): string {
  const text = script.replace(/\r\n?/g, '\n');
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
