#!/usr/bin/env node
// Playwright runs this in place of Firefox. It starts Firefox and passes WebDriver BiDi messages on, because Playwright
// expects two things that Debian's Firefox does not have yet:
// - The command that sets the colour scheme, which Playwright sends for each new context. Nothing depends on its
//   result.
// - An id of each download. The download's address is just as unique.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';
import { findFirefox } from '../../scripts/browser.mjs';

const DISPENSABLE = 'emulation.setMediaFeaturesOverride';
const LISTENING = 'WebDriver BiDi listening on ';
const options = { perMessageDeflate: false };

const firefox = spawn(findFirefox(), process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));
firefox.on('exit', (code) => process.exit(code ?? 1));
for await (const line of createInterface({ input: firefox.stderr })) {
  const printed = line.startsWith(LISTENING) ? LISTENING + (await relayTo(line.slice(LISTENING.length))) : line;
  process.stderr.write(`${printed}\n`);
}

/** Starts a WebSocket server that passes messages between Playwright and Firefox, and returns its address. */
async function relayTo(address) {
  const server = new WebSocketServer({ ...options, host: '127.0.0.1', port: 0 });
  server.on('connection', async (playwright, request) => {
    playwright.pause();
    const bidi = new WebSocket(address + request.url, { ...options, maxPayload: 2 ** 30 });
    const dispensable = new Set();
    playwright.on('message', (data) => {
      const { id, method } = JSON.parse(data);
      if (method === DISPENSABLE) dispensable.add(id);
      bidi.send(data.toString());
    });
    bidi.on('message', (data) => {
      const message = JSON.parse(data);
      const missing = dispensable.delete(message.id) && message.error === 'unknown command';
      if (message.method?.startsWith('browsingContext.download')) message.params.download ??= message.params.url;
      playwright.send(JSON.stringify(missing ? { type: 'success', id: message.id, result: {} } : message));
    });
    playwright.on('close', () => bidi.close());
    bidi.on('close', () => playwright.close());
    await once(bidi, 'open');
    playwright.resume();
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${server.address().port}`;
}
