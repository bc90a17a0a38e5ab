import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileTarget } from '@/proxy/connection/test-hub';
import { record } from '../round-trips/test-record';

test('opens the recording of a server that printed lines that are not JSON', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  try {
    const { live, reopened } = await record(folder, hostileTarget('junk'), { acts: [{ method: 'ping' }] });
    expect(reopened).toEqual(live);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
