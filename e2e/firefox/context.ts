import type { BrowserContext } from '@playwright/test';

/** Tests stop mcp-inspect while its page is open. */
const LOST_CONNECTION = /can.t establish a connection to the server at ws:/;

/**
 * Makes `fill` and `insertText` work in Firefox. Returns a list that collects what the pages of `context` report in
 * their consoles: exceptions, errors, and violations of the content security policy.
 */
export async function prepareFirefox(context: BrowserContext): Promise<readonly string[]> {
  await context.addInitScript(() => {
    // Playwright's own function assigns the value of an input, so React sees no change. This inserts text as typing
    // does.
    const insert = (text: string) => document.execCommand('insertText', false, text);
    Object.defineProperty(window, '__pw_bidiInsertText', { get: () => insert, set: () => {} });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      console.error('Content security policy:', violatedDirective, blockedURI, sample);
    });
  });
  const reports: string[] = [];
  const collect = (text: string) => {
    if (!LOST_CONNECTION.test(text)) reports.push(text);
  };
  context.on('console', (message) => {
    if (message.type() === 'error') collect(message.text());
  });
  context.on('weberror', (error) => collect(String(error.error())));
  return reports;
}
