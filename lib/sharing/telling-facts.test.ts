import { expect, test } from 'vitest';
import { plantedFrame } from '@/lib/redact/test-plant';
import { tellingFacts } from './telling-facts';

const START = {
  ...{ event: 'start', at: '2026-01-01T00:00:00.000Z', name: 'x', transport: 'stdio', command: 'node', args: [] },
  ...{ cwd: '/srv/acme', protocol: 'auto', environment: { policy: 'shell', inherited: ['PATH'], added: ['ACME'] } },
};

test.each<[object, readonly (readonly [string, string])[]]>([
  [
    START,
    [
      ['the working folder', '/srv/acme'],
      ['the names of 2 environment variables', 'PATH, ACME'],
    ],
  ],
  [{ event: 'about', name: '', text: 'ask Bo' }, [['the note on the recording', 'ask Bo']]],
  [{ event: 'note', on: 1, text: 'here', bookmark: false }, [['a note', 'here']]],
  [{ ...START, cwd: 7, environment: 'x' }, []],
  [{ event: 'closed' }, []],
])('%j', (event, facts) => {
  const found = tellingFacts({ ...plantedFrame(JSON.stringify(event), 'lifecycle'), seq: 4 });
  expect(found).toEqual(facts.map(([what, value]) => ({ what, value, seq: 4 })));
});
