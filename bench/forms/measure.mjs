// Mounts the form of every tool in a headless Chromium and collects the findings of the page.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { findBrowser } from '../../scripts/browser.mjs';
import { ensure } from '../../scripts/ensure.mjs';

const root = join(import.meta.dirname, '../..');

/** Limit for one tool. It is long because the page draws all of the form three times and checks invalid values too. */
const GIVE_UP_MS = 180_000;

/** The form in which typing is timed: 2,000 fields, all filled in. */
const NAMES = Array.from({ length: 2000 }, (_, index) => `p${index}`);
const WIDE = JSON.stringify({
  type: 'object',
  properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'string', description: 'd'.repeat(60) }])),
});
const FILLED = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, `value of ${name}`])));

/**
 * Returns the findings about each tool, in order.
 *
 * - `axe` also checks the accessibility of the visible part, which takes longest.
 * - `brief` measures less of large tools.
 * - `onTool` is called before each tool.
 */
export async function measured(tools, { axe = false, brief = false, onTool = () => undefined } = {}) {
  const server = await serveForms();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--js-flags=--expose-gc', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const policyViolations = [];
    const uncaught = [];
    const reached = [];
    const openPage = async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on(
        'console',
        (message) => /Content.Security.Policy/i.test(message.text()) && policyViolations.push(message.text()),
      );
      page.on('pageerror', (error) => uncaught.push(String(error)));
      page.on('request', (request) => request.url().startsWith(server.url) || reached.push(request.url()));
      page.on('dialog', (dialog) => reached.push(dialog.message()) && dialog.dismiss());
      await page.goto(server.url);
      if (axe) await page.evaluate(axeSource());
      return page;
    };
    let page = await openPage();
    const results = [];
    for (const tool of tools) {
      onTool(tool);
      let found;
      let crash;
      try {
        found = await within(
          GIVE_UP_MS,
          page.evaluate(([schema, brief]) => globalThis.forms.measure(schema, brief), [tool.schema ?? 'null', brief]),
        );
      } catch (error) {
        crash = String(error).split('\n')[0];
        // Not awaited: a page that hangs can't be closed.
        void page.close().catch(() => undefined);
        page = await openPage();
      }
      results.push({ file: tool.file, name: tool.name, crash: crash ?? uncaught.splice(0)[0], found });
    }
    const typing = await page.evaluate(typeInWideForm, { schema: WIDE, text: FILLED });
    reached.push(...(await page.evaluate(changedPrototype)));
    return { results, policyViolations, reached, typing };
  } finally {
    await browser.close();
    server.close();
  }
}

async function within(milliseconds, promise) {
  let timer;
  const hang = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs: no result after ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the names that a schema added to the prototype of all objects. Runs in the page. */
function changedPrototype() {
  return Object.keys(Object.prototype);
}

/** Draws all of a form with 2,000 fields and types in the last one. Runs in the page. */
async function typeInWideForm({ schema, text }) {
  globalThis.forms.show(schema, text);
  await globalThis.forms.drawAll();
  const spent = await globalThis.forms.type(60);
  globalThis.forms.unmount();
  return spent.slice(10);
}

function axeSource() {
  const require = createRequire(import.meta.url);
  const entry = createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js');
  return readFileSync(entry, 'utf8');
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
].join('; ');

const HTML = (styles) =>
  `<!doctype html><html lang="en"><title>forms</title>${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('')}` +
  `<body style="overflow:auto"><main id="form" style="max-width:620px;padding:12px"></main><script type="module" src="/page.js"></script>`;

/** Serves the measured page on a free local port, with the security policy of the real page. */
async function serveForms() {
  await ensure();
  const { outputFiles } = await build({
    entryPoints: [join(root, 'bench/forms/page.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    alias: { '@': root },
    logLevel: 'warning',
  });
  const ui = join(root, 'dist/ui');
  const styles = readdirSync(ui, { recursive: true })
    .map((path) => `/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.css') && !path.startsWith('/monaco'));
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    response.setHeader('content-security-policy', POLICY);
    if (path === '/') return response.setHeader('content-type', 'text/html').end(HTML(styles));
    const types = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' };
    response.setHeader('content-type', types[path.split('.').pop()] ?? 'application/octet-stream');
    if (path === '/page.js') return response.end(outputFiles[0].text);
    try {
      response.end(readFileSync(join(ui, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
