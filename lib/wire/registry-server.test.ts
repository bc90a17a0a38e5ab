import { expect, test } from 'vitest';
import { readServers } from './server-config';

const NPM = {
  registryType: 'npm',
  identifier: '@acme/files',
  version: '1.2.0',
  transport: { type: 'stdio' },
  runtimeArguments: [{ type: 'named', name: '--prefer-offline', isRequired: true }],
  packageArguments: [
    { type: 'positional', value: 'serve' },
    { type: 'positional', valueHint: 'folder', description: 'Folder to share', isRequired: true },
    { type: 'named', name: '--port', value: '{port}', variables: { port: { default: '8080', format: 'number' } } },
    { type: 'named', name: '--optional' },
  ],
  environmentVariables: [
    { name: 'TOKEN', description: 'API token', isRequired: true, isSecret: true },
    { name: 'LEVEL', default: 'info', choices: ['info', 'debug'] },
    { name: 'UNUSED' },
    { name: 'FIXED', value: 'yes' },
  ],
};
const REMOTE = {
  type: 'streamable-http',
  url: 'https://{tenant}.acme.example/mcp',
  variables: { tenant: { isRequired: true, description: 'Your tenant' } },
  headers: [{ name: 'Authorization', value: 'Bearer {key}', variables: { key: { isRequired: true, isSecret: true } } }],
};
const SERVER = { name: 'com.acme/files', description: 'x', version: '1.2.0', packages: [NPM], remotes: [REMOTE] };

test('packages and remotes of a server.json become servers, and variables become inputs', () => {
  const { servers } = readServers(SERVER);
  expect(servers.map(({ name, target }) => [name, target])).toMatchObject([
    [
      'files npm',
      {
        command: 'npx',
        args: ['-y', '--prefer-offline', '@acme/files@1.2.0', 'serve', `\${input:folder}`, '--port', `\${input:port}`],
        env: { TOKEN: `\${input:TOKEN}`, LEVEL: `\${input:LEVEL}`, UNUSED: `\${input:UNUSED}`, FIXED: 'yes' },
      },
    ],
    [
      'files remote',
      {
        url: `https://\${input:tenant}.acme.example/mcp`,
        headers: { Authorization: `Bearer \${input:key}` },
      },
    ],
  ]);
  expect(servers[0]!.inputs).toMatchObject([
    { id: 'TOKEN', secret: true },
    { id: 'LEVEL', default: 'info', options: [{ value: 'info' }, { value: 'debug' }] },
    { id: 'UNUSED', optional: true },
    { id: 'folder', description: 'Folder to share', secret: false },
    { id: 'port', default: '8080' },
  ]);
  expect(servers[1]!.inputs).toMatchObject([
    { id: 'tenant', description: 'Your tenant' },
    { id: 'key', secret: true },
  ]);
});

test('reads an answer of the registry and older member names', () => {
  const old = { name: 'a/b', packages: [{ registry_type: 'pypi', identifier: 'b-mcp', version: '2' }] };
  expect(readServers({ server: old, _meta: {} }).servers).toMatchObject([
    { name: 'b', target: { command: 'uvx', args: ['b-mcp==2'] } },
  ]);
});

test('a container gets its variables by name, and a tag of its own stays', () => {
  const oci = {
    registryType: 'oci',
    identifier: 'ghcr.io/a/b:3',
    version: '3',
    environmentVariables: [{ name: 'A', value: '1' }],
  };
  expect(readServers({ name: 'a/b', packages: [oci] }).servers[0]!.target).toMatchObject({
    command: 'docker',
    args: ['run', '-i', '--rm', '-e', 'A', 'ghcr.io/a/b:3'],
    env: { A: '1' },
  });
});

test('one name with two meanings becomes two inputs', () => {
  const env = (description: string) => [{ name: 'KEY', description, isRequired: true }];
  const packages = ['one', 'two'].map((identifier) => ({
    registryType: 'npm',
    identifier,
    environmentVariables: env(identifier),
  }));
  expect(readServers({ name: 'a/b', packages }).servers.map(({ inputs }) => inputs![0]!.id)).toEqual(['KEY', 'KEY 2']);
});

test.each([
  [{ registryType: 'cargo', identifier: 'x' }],
  [{ registryType: '__proto__', identifier: 'x' }],
  [{ registryType: 'npm' }],
  [{}],
])('a package that cannot run is a server with a problem: %j', (item) => {
  expect(readServers({ name: 'a/b', packages: [item] }).servers[0]!.problem).toBeDefined();
});

test('hostile content makes no server, or one with a problem', () => {
  for (const packages of [
    [null],
    [1],
    [{ registryType: 'npm', identifier: 'x', packageArguments: [null, { type: 'named' }] }],
  ]) {
    expect(() => readServers({ name: 'a/b', packages })).not.toThrow();
  }
});
