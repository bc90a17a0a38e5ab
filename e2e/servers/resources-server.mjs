// A server on the official SDK whose resources change on demand: subscriptions of both eras, icons, annotations,
// caching hints, directories (extension for skills), lists that change, and completions that depend on other arguments.
//
//   node resources-server.mjs    stdio, modern or legacy as the client opens
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAN0lEQVR42mNgoCXQqLjzH4TJ0oQLU6QZryHEasZpyMAaQKpmDEMoNmAYBCJVEhJVkjJVMhOpAADDultUDdctTgAAAABJRU5ErkJggg==';
const RING_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<circle cx="8" cy="8" r="5" fill="none" stroke="#e33" stroke-width="3"/>' +
  '<script>globalThis.iconRan=true</script></svg>';
const RING = `data:image/svg+xml,${encodeURIComponent(RING_SVG)}`;
const ICONS = [{ src: DOT, mimeType: 'image/png', sizes: ['16x16'] }];

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const startingWith = (values, value) => values.filter((each) => each.startsWith(value));

const REGIONS = { production: ['eu-west', 'eu-north', 'us-east'], staging: ['eu-west'] };
const TOWNS = Array.from({ length: 250 }, (_, n) => `town-${String(n).padStart(3, '0')}`);

const skills = await SkillsExtension.load(
  memorySkillFiles({
    'git/SKILL.md': '---\nname: git\ndescription: How to use git.\n---\n\n# git\n',
    'git/scripts/undo.sh': '#!/bin/sh\ngit reset --soft HEAD~1\n',
    'git/notes.txt': 'Commit early.\n',
  }),
);

const fixture = () => {
  const state = { lines: ['one', 'two', 'three'], bytes: 4 };
  const server = new McpServer(
    { name: 'resources-fixture', title: 'Resources fixture', version: '1.0.0', icons: ICONS },
    { capabilities: { resources: { subscribe: true, listChanged: true } }, instructions: 'A fixture for tests.' },
  );
  const subscribed = new Set();
  // The SDK routes updates to listen streams by itself, but leaves legacy subscriptions to the server.
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    if (params.uri === 'notes://forbidden') throw new Error('This resource never changes');
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  const updated = async (uri) => {
    const isLegacy = server.server.getNegotiatedProtocolVersion() !== '2026-07-28';
    if (!isLegacy || subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
  };

  server.registerResource(
    'list',
    'notes://list',
    {
      title: 'Shopping list',
      description: 'Text that `append` changes.',
      mimeType: 'text/plain',
      icons: ICONS,
      size: 13,
      annotations: { audience: ['user', 'assistant'], priority: 0.8, lastModified: '2026-01-12T15:00:58Z' },
      cacheHint: { ttlMs: 300_000, cacheScope: 'private' },
    },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: state.lines.join('\n') }] }),
  );
  server.registerResource(
    'blob',
    'notes://blob',
    {
      title: 'Bytes',
      mimeType: 'application/octet-stream',
      icons: [{ src: RING, mimeType: 'image/svg+xml' }],
      cacheHint: { ttlMs: 1, cacheScope: 'public' },
    },
    async (uri) => ({
      contents: [{ uri: uri.href, blob: Buffer.alloc(state.bytes, 7).toString('base64') }],
    }),
  );
  server.registerResource(
    'forbidden',
    'notes://forbidden',
    {
      mimeType: 'text/plain',
      icons: [{ src: 'https://icons.example/a.png' }, { src: 'javascript:globalThis.iconRan=true' }],
      annotations: { lastModified: 'yesterday' },
    },
    async (uri) => ({ contents: [{ uri: uri.href, text: 'Nothing changes here.' }] }),
  );
  let count = 0;
  server.registerResource(
    'counter',
    'notes://counter',
    { description: 'Changes after each read.', mimeType: 'text/plain' },
    async (uri) => {
      count++;
      // After the response.
      setTimeout(() => void updated('notes://counter'), 20);
      return { contents: [{ uri: uri.href, text: `read ${count}` }] };
    },
  );
  let dropped = server.registerResource('old', 'notes://old', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'old' }],
  }));
  server.registerResource(
    'city',
    new ResourceTemplate('city://{country}/{city}', {
      list: undefined,
      complete: {
        country: (value) => startingWith(['norway', 'spain'], value),
        city: (value, context) =>
          startingWith({ norway: ['bergen', 'oslo'], spain: ['madrid'] }[context?.arguments?.country] ?? [], value),
      },
    }),
    { title: 'A city', mimeType: 'text/plain' },
    async (uri, { city }) => ({ contents: [{ uri: uri.href, text: `${city}` }] }),
  );

  server.registerTool('append', { inputSchema: z.object({ line: z.string() }) }, async ({ line }) => {
    state.lines.push(line);
    await updated('notes://list');
    return text(`${state.lines.length} lines`);
  });
  server.registerTool('touch', { description: 'Says that both resources changed. Nothing does.' }, async () => {
    await updated('notes://list');
    await updated('notes://blob');
    return text('touched');
  });
  server.registerTool('grow', { description: 'Doubles the bytes.' }, async () => {
    state.bytes *= 2;
    await updated('notes://blob');
    return text(`${state.bytes} bytes`);
  });
  const rearrange = server.registerTool(
    'rearrange',
    { description: 'Changes all lists once.', icons: ICONS },
    async () => {
      dropped?.remove();
      dropped = undefined;
      server.registerResource('new', 'notes://new', { mimeType: 'text/plain' }, async (uri) => ({
        contents: [{ uri: uri.href, text: 'new' }],
      }));
      server.registerTool('added', { description: 'Was not there.' }, async () => text('added'));
      rearrange.update({ description: 'Has changed all lists.' });
      greet.update({ description: 'Greets more warmly.' });
      return text('rearranged');
    },
  );

  const greet = server.registerPrompt('greet', { description: 'Greets.', icons: ICONS }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  }));

  // The answer to "a" waits for the one to "ab".
  let shorter = () => {};
  server.registerPrompt(
    'deploy',
    {
      description: 'Completes its arguments.',
      argsSchema: z.object({
        environment: completable(z.string(), (value) => startingWith(Object.keys(REGIONS), value)),
        region: completable(z.string(), (value, context) =>
          startingWith(REGIONS[context?.arguments?.environment] ?? [], value),
        ),
        town: completable(z.string(), (value) => startingWith(TOWNS, value)),
        word: completable(z.string(), async (value) => {
          if (value === 'a') await new Promise((resolve) => (shorter = resolve));
          // After this answer has gone out.
          if (value === 'ab') setTimeout(shorter, 20);
          return [`${value}-first`, `${value}-second`];
        }),
        broken: completable(z.string(), () => {
          throw new Error('no completions today');
        }),
      }),
    },
    () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Deploy.' } }] }),
  );

  skills.attach(server);
  return server;
};

serveStdio(fixture, { legacy: 'serve' });
