import { describe, expect, test } from 'vitest';
import { connected, MODERN, shared, VERSIONS } from './test-client.mjs';

/** Reads all pages, and checks that none is empty. */
async function allResources(client) {
  const pages = [];
  let cursor;
  do {
    const { resources, nextCursor } = await client.result('resources/list', cursor === undefined ? {} : { cursor });
    expect(resources.length).toBeGreaterThan(0);
    pages.push(resources);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** URIs, their types, and part of their contents. */
const EXPANDED = [
  ['light://log/2', 'text/markdown', 'Northern Wren'],
  ['light://archive/1911/letters/board.txt', 'text/plain', 'goat'],
  ['light://archive/plans/tower.svg', 'image/svg+xml', '<svg'],
  ['light://tides', 'application/json', '"port": "Skerry"'],
  ['light://tides?port=St%20Kilda&date=2026-04-01', 'application/json', '"port": "St Kilda"'],
];

describe.each(VERSIONS)('resources in %s', (version) => {
  const open = shared(version);

  test('come in pages without duplicates, and all can be read', async () => {
    const client = open();
    const pages = await allResources(client);
    expect(pages.length).toBeGreaterThan(1);
    const resources = pages.flat();
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(resources.length);
    for (const { uri, mimeType, size } of resources) {
      const { contents } = await client.result('resources/read', { uri });
      expect(contents).toHaveLength(1);
      expect(contents[0]).toMatchObject({ uri, mimeType });
      const bytes = contents[0].blob ? Buffer.from(contents[0].blob, 'base64') : Buffer.from(contents[0].text);
      if (size !== undefined) expect(bytes.length, uri).toBe(size);
    }
    const types = new Set(resources.map(({ mimeType }) => mimeType));
    for (const type of ['text/plain', 'text/markdown', 'application/json', 'image/png', 'application/octet-stream']) {
      expect(types).toContain(type);
    }
  });

  test('an unknown cursor is -32602', async () => {
    const client = open();
    for (const cursor of ['', 'nonsense', 7]) {
      expect((await client.request('resources/list', { cursor })).error.code).toBe(-32602);
    }
  });

  test('URIs that a template expands to can be read', async () => {
    const client = open();
    for (const [uri, mimeType, part] of EXPANDED) {
      const { contents } = await client.result('resources/read', { uri });
      expect(contents[0]).toMatchObject({ uri, mimeType });
      expect(contents[0].text).toContain(part);
    }
  });

  test('a missing resource is an error that names its URI', async () => {
    const client = open();
    for (const uri of ['light://log/99', 'light://archive/%zz', 'file:///etc/passwd', 'light://__proto__']) {
      const { error } = await client.request('resources/read', { uri });
      expect(error).toEqual({
        code: version === MODERN ? -32602 : -32002,
        message: 'Resource not found',
        data: { uri },
      });
    }
    expect((await client.request('resources/read')).error.code).toBe(-32602);
  });

  test('templates are of three kinds: simple, reserved and query', async () => {
    const client = open();
    const { resourceTemplates } = await client.result('resources/templates/list');
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'light://log/{number}',
      'light://archive/{+path}',
      'light://tides{?port,date}',
    ]);
    expect(resourceTemplates.every((template) => !('pattern' in template) && !('variables' in template))).toBe(true);
  });

  test('a new log entry is a resource until it is erased', async () => {
    const client = await connected(version);
    await client.call('write_entry', {
      text: 'A *whale*.',
      keeper: 'Tomas Rendall',
      written_at: '2026-03-11T08:00:00Z',
    });
    const { contents } = await client.result('resources/read', { uri: 'light://log/7' });
    expect(contents[0].text).toContain('A *whale*.');
    expect((await client.result('resources/read', { uri: 'light://logbook' })).contents[0].text).toContain('whale');
    await client.call('erase_entry', { number: 7, oath: 'I know what I am doing' });
    expect((await client.request('resources/read', { uri: 'light://log/7' })).error).toBeDefined();
    expect((await client.call('erase_entry', { number: 7, oath: 'I know what I am doing' })).isError).toBe(true);
  });
});
