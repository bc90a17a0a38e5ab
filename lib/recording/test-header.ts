import { RECORDING_VERSION, type RecordingHeader } from './format';

/** Header of recordings in tests. */
export const TEST_HEADER: RecordingHeader = {
  mcpr: RECORDING_VERSION,
  id: 'a-recording',
  at: '2026-01-01T00:00:00.000Z',
  by: 'mcp-inspect/0.0.0-test',
  mode: 'client',
  name: 'demo',
  transport: 'stdio',
  redaction: { policy: 'capture/2' },
};
