import { describe, expect, test } from 'vitest';
import { checkImports, readSources } from './check-imports.mjs';
import { LAYERS } from './import-rules.mjs';

const check = (files) => checkImports(new Map(Object.entries(files)));

describe('finds', () => {
  test.each([
    ['a lower layer imports a higher one', 'lib/wire/a.ts', `import { b } from '@/lib/mcp/b';`],
    ['a lower layer imports only a type', 'lib/wire/a.ts', `import type { B } from '@/lib/mcp/b';`],
    ['an import over several lines', 'lib/mcp/a.ts', `import {\n  a,\n  type B,\n} from '@/lib/store/b';`],
    ['a re-export', 'lib/mcp/a.ts', `export { b } from '../store/b';`],
    ['an export *', 'lib/mcp/a.ts', `export * from '../store/b';`],
    ['an import for its side effects', 'lib/mcp/a.ts', `import '../store/b';`],
    ['a dynamic import', 'lib/mcp/a.ts', `const b = await import('@/lib/store/b');`],
    ['an inline import of a type', 'lib/mcp/a.ts', `let b: import('@/lib/store/b').B;`],
    ['node: in lib', 'lib/store/a.ts', `import { join } from 'node:path';`],
    ['React in lib', 'lib/store/a.ts', `import { useState } from 'react';`],
    ['hooks in a widget', 'components/ui/a.tsx', `import { useLog } from '@/lib/hooks/log';`],
    ['the client in a panel', 'components/panels/a.tsx', `import { c } from '@/lib/client/c';`],
    ['a panel in a panel', 'components/panels/tools/a.tsx', `import { R } from '../resources/r';`],
    ['a panel in a panel that is one file', 'components/panels/tools.tsx', `import { R } from './raw';`],
    ['a component in the proxy', 'proxy/http/a.ts', `import { X } from '@/components/ui/x';`],
    ['the proxy in a component', 'components/log/a.tsx', `import { X } from '@/proxy/http/x';`],
    ['the commands in a connection', 'proxy/connection/a.ts', `import { X } from '../commands/x';`],
    ['a room of the proxy without a rule', 'proxy/other/a.ts', `import { X } from '@/lib/wire/frame';`],
    ['a feature in the core', 'lib/store/a.ts', `import { X } from '@/features/chat/lib/x';`],
    ['a feature in a subcommand', 'proxy/commands/a.ts', `import { X } from '@/features/tap/proxy/x';`],
    ['a feature in another', 'features/chat/lib/a.ts', `import { X } from '@/features/evals/lib/x';`],
    [
      'a feature in the first file of another',
      'features/chat/feature.ts',
      `import { X } from '@/features/evals/feature';`,
    ],
    ['Node code in the page of a feature', 'features/chat/page.ts', `import { X } from './proxy/x';`],
    ['a component in the program of a feature', 'features/tap/feature.ts', `import { X } from './components/x';`],
    ['a folder of a feature without a rule', 'features/chat/other/a.ts', `import { X } from '@/lib/wire/frame';`],
    ['a folder without a rule', 'lib/other/a.ts', `import { X } from '@/lib/wire/frame';`],
    ['starting processes', 'proxy/cli/a.ts', `import { spawn } from 'node:child_process';`],
    ['writing files', 'proxy/http/a.ts', `import {\n  readFile,\n  writeFileSync,\n} from 'node:fs';`],
    ['all of fs', 'proxy/http/a.ts', `import * as fs from 'node:fs/promises';`],
    ['a WebSocket', 'lib/hooks/a.ts', `const socket = new WebSocket(url);`],
    ['a request', 'lib/hooks/a.ts', `await fetch('/api');`],
    ['raw HTML', 'components/log/a.tsx', `<p dangerouslySetInnerHTML={x} />`],
    ['a frame', 'components/panels/a.tsx', `<iframe src="x" />`],
    ['an image', 'components/panels/a.tsx', `<img\n alt="" />`],
    ['a link', 'components/panels/a.tsx', `<a href={url}>`],
    ['a test', 'lib/mcp/a.ts', `import { b } from './b.test';`],
    ['next/link', 'app/page.tsx', `import Link from 'next/link';`],
  ])('%s', (_, path, text) => {
    expect(check({ [path]: text })).toEqual([expect.stringContaining(`${path}: `)]);
  });

  test('a cycle, also through imports of types', () => {
    const files = {
      'lib/mcp/a.ts': `import { b } from './b';`,
      'lib/mcp/b.ts': `import type { C } from '@/lib/mcp/c';`,
      'lib/mcp/c.ts': `import { a } from './a';`,
    };
    expect(check(files)).toEqual([
      expect.stringContaining('lib/mcp/a.ts → lib/mcp/b.ts → lib/mcp/c.ts → lib/mcp/a.ts'),
    ]);
  });
});

describe('allows', () => {
  test.each([
    ['lower layers', 'lib/store/a.ts', `import { b } from '@/lib/mcp/b';\nimport { c } from '@/lib/wire/c';`],
    ['its own folder', 'lib/mcp/a.ts', `import { b } from './b';`],
    [
      'all panels in their registry',
      'components/panels/registry.tsx',
      `import { a } from './tools/a';\nimport { b } from './raw';`,
    ],
    ['another file of the same panel', 'components/panels/tools/a.tsx', `import { b } from './b';`],
    ['processes in the room that owns them', 'proxy/process/a.ts', `import { spawn } from 'node:child_process';`],
    ['reading files', 'proxy/http/a.ts', `import { readFileSync, statSync } from 'node:fs';`],
    [
      'a comment',
      'lib/wire/a.ts',
      `// import { b } from '@/lib/mcp/b';\n/**\n * new WebSocket(url)\n */\nexport const a = 1;`,
    ],
    ['a WebSocketServer', 'proxy/http/a.ts', `const s = new WebSocketServer({});`],
    ['a method called fetch', 'proxy/http/a.ts', `await store.fetch(1);`],
    ['anything in a test', 'lib/wire/a.test.ts', `import { b } from '@/lib/mcp/b';`],
  ])('%s', (_, path, text) => {
    expect(check({ [path]: text })).toEqual([]);
  });
});

test.each(['lib/', 'components/', 'proxy/'])('a room of %s uses only those below it', (floors) => {
  const rooms = LAYERS.filter((layer) => layer.in.startsWith(floors));
  // The first row that fits counts, so a folder within a room stands before the room, and may use it.
  const isAbove = (room, above) => room.may.includes(above.in) && !room.in.startsWith(above.in);
  const upwards = rooms.flatMap((room, at) =>
    rooms.slice(at + 1).flatMap((above) => (isAbove(room, above) ? [`${room.in} → ${above.in}`] : [])),
  );
  expect(rooms.length).toBeGreaterThan(8);
  expect(upwards).toEqual([]);
});

test('the source of mcp-inspect follows the rules', () => {
  const sources = readSources();
  expect(sources.size).toBeGreaterThan(20);
  expect(checkImports(sources)).toEqual([]);
});
