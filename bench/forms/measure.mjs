// Mounts the form for every tool in a headless Chromium and gathers what the page found out.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import { serveForms } from './serve.mjs';

/** A tool is given up when nothing comes back at all. Long: all of its form is drawn, three times, and made wrong. */
const GIVE_UP_MS = 180_000;

/** The form in which keys are timed, and its arguments: every field is filled in. */
const NAMES = Array.from({ length: 2000 }, (_, index) => `p${index}`);
const WIDE = JSON.stringify({
  type: 'object',
  properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'string', description: 'd'.repeat(60) }])),
});
const FILLED = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, `value of ${name}`])));

/**
 * What was found of each tool, in order. `axe` has the accessibility of what is in sight looked at, which takes longest; `brief` spares large tools;
 * `onTool` hears of each tool before it is measured.
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
        // A page that hangs does not close either.
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
    timer = setTimeout(() => reject(new Error(`hangs: nothing after ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a schema put on the prototype of all objects. Runs in the page. */
function changedPrototype() {
  return Object.keys(Object.prototype);
}

/** Has all of a form of 2,000 fields drawn and types in the last one. Runs in the page. */
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
