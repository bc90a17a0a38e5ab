import { expect, test } from 'vitest';
import { configOfManifest } from './bundle-manifest';
import { readServers } from './server-config';

const PLACE = { folder: '/tmp/b', platform: 'linux', folders: { HOME: '/home/me' } };
const made = (server: object, user_config?: object) =>
  configOfManifest({ name: 'files', server, ...(user_config && { user_config }) }, PLACE);

test('a manifest becomes a server, and its user_config becomes inputs', () => {
  const config = made(
    {
      type: 'node',
      mcp_config: {
        command: 'node',
        args: [
          `\${__dirname}/index.js`,
          ...['folder', 'extra', 'dirs'].map((key) => `\${user_config.${key}}`),
          `--x=\${HOME}`,
        ],
        env: { KEY: `\${user_config.key}`, EXTRA: `\${user_config.extra}`, LOUD: `\${user_config.loud}` },
      },
    },
    {
      folder: { type: 'directory', title: 'Folder', description: 'To share', required: true, default: ['/a', '/b'] },
      key: { type: 'string', title: 'Key', sensitive: true, required: true },
      extra: { type: 'string', title: 'Extra' },
      loud: { type: 'boolean', title: 'Loud', default: false },
      dirs: { type: 'directory', title: 'More', multiple: true, default: ['/c', '/d'] },
      unused: { type: 'string', required: true },
    },
  );
  const [entry] = readServers(config).servers;
  expect(entry).toMatchObject({
    name: 'files',
    target: {
      command: 'node',
      args: ['/tmp/b/index.js', `\${input:folder}`, `\${input:extra}`, `\${input:dirs}`, '--x=/home/me'],
      env: { KEY: `\${input:key}`, EXTRA: `\${input:extra}`, LOUD: `\${input:loud}` },
      cwd: '/tmp/b',
    },
    inputs: [
      { id: 'folder', title: 'Folder', description: 'To share', default: '/a', secret: false },
      { id: 'key', title: 'Key', description: '', secret: true },
      { id: 'extra', optional: true },
      { id: 'loud', default: 'false', options: [{ value: 'true' }, { value: 'false' }] },
      { id: 'dirs', default: '/c\n/d', several: true },
    ],
  });
});

test('the platform’s own settings win, and a bundle for uv needs none', () => {
  const overrides = { linux: { command: './b-linux', env: { B: '2' } }, win32: { command: 'b.exe' } };
  const mcp_config = { command: 'b', args: ['x'], env: { A: '1' }, platform_overrides: overrides };
  expect(made({ type: 'binary', mcp_config })).toMatchObject({
    mcpServers: { files: { command: './b-linux', args: ['x'], env: { A: '1', B: '2' } } },
  });
  expect(made({ type: 'uv', entry_point: 'src/s.py' })).toMatchObject({
    mcpServers: { files: { command: 'uv', args: ['run', '--directory', '/tmp/b', 'src/s.py'] } },
  });
});

test('a manifest without a server is a sentence', () => {
  for (const odd of [undefined, null, [], {}, { name: 'x' }, { name: 'x', server: {} }, { name: 1, server: {} }]) {
    expect(configOfManifest(odd, PLACE)).toMatch(/^Its manifest\.json /);
  }
});

test('folders of the user are filled in in defaults too', () => {
  const args = [`\${user_config.dirs}`, `\${user_config.file}`];
  const config = made(
    { type: 'node', mcp_config: { command: 'node', args } },
    {
      dirs: { type: 'directory', multiple: true, default: [`\${HOME}/Documents`, `\${OTHER}/x`] },
      file: { type: 'file', default: `\${__dirname}/default.json` },
    },
  );
  expect(readServers(config).servers[0]).toMatchObject({
    inputs: [
      { id: 'dirs', default: `/home/me/Documents\n\${OTHER}/x` },
      { id: 'file', default: '/tmp/b/default.json' },
    ],
  });
});
