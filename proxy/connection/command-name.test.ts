import { expect, test } from 'vitest';
import { commandName } from './command-name';

test.each([
  ['node --inspect dist/my-server.js --port 1', 'my-server.js'],
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
