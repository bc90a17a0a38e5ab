import { describe, expect, test } from 'vitest';
import { commandName, programOf } from './command-name';

describe('command name', () => {
  test.each([
    ['node --inspect dist/my-server.js --port 1', 'my-server.js'],
    ['node /srv/mcp/everything/dist/index.js', 'everything'],
    ['node D:\\mcp\\notes\\build\\main.js', 'notes'],
    ['node ./dist/index.js', 'index.js'],
    ['node /index.js', 'index.js'],
    ['node D:\\index.js', 'index.js'],
    ['node --import @opentelemetry/auto-instrumentations-node/register server.js', 'server.js'],
    ['node -r ./hooks.cjs --env-file .env dist/my-server.js', 'my-server.js'],
    ['opentelemetry-instrument python server.py', 'server.py'],
    ['npx -y @scope/some-server', 'some-server'],
    ['uv run server.py', 'server.py'],
    ['/usr/bin/weather', 'weather'],
    ['node', 'node'],
    ['env CHANGED=1 node own.mjs', 'own.mjs'],
    ['/usr/bin/env -i A=1 B=2 /opt/servers/own', 'own'],
    ['env A=1', 'env'],
    ['uvx --from git+https://me:s3cret@host/x/tool.git tool', 'tool.git'],
    ['docker run -i --rm -e GITHUB_TOKEN=s3cret ghcr.io/github/github-mcp-server:1.2 stdio', 'github-mcp-server'],
    ['docker run -it --env-file=.env --name s3cret -v /a:/b localhost:5000/shop@sha256:0a1b', 'shop'],
    ['podman run -e TOKEN=s3cret', 'podman'],
    ['docker', 'docker'],
    ['bash -lc TOKEN=s3cret;node', 'bash'],
    ['sh -c s3cret', 'sh'],
    ['node -e s3cret', 'node'],
    ['node TOKEN=s3cret own.mjs', 'own.mjs'],
  ])('%s', (line, name) => {
    const [command, ...args] = line.split(' ');
    expect(commandName({ command: command!, args })).toBe(name);
  });
});

test('a program is the script, package or image, without its version and options', () => {
  const of = (line: string) => {
    const [command, ...args] = line.split(' ');
    return programOf({ transport: 'stdio', command: command!, args });
  };
  expect(of('npx -y notes@1 --flag')).toBe(of('npx notes@2'));
  expect(of('npx -y notes')).not.toBe(of('npx -y mail'));
  expect(of('node one/index.js')).not.toBe(of('node two/index.js'));
  expect(of('docker run -i me/one:1')).not.toBe(of('docker run -i me/two:1'));
  expect(programOf({ transport: 'http', url: 'https://h.test/a?b' })).toBe('https://h.test');
});
