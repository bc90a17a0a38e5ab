import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { RecordingFile } from '@/proxy/recorder/recording-file';

const FILLER = 'x'.repeat(380);

/** Frames in one write. */
const PORTION = 256;

/** Skips redaction: the generated frames contain no secrets. */
class Unredacted extends CaptureRedactor {
  override apply<T extends Pick<FrameToRecord, 'bytes'>>(frame: T): T {
    return frame;
  }
}

/**
 * Generates calls with progress and log messages, like a long recording. `perCall`: frames of a call, 5 or 2. With
 * several `tools`, they take turns, and each response takes its own time.
 */
function* frames(perCall: number, tools: number): Generator<FrameToRecord> {
  const encoder = new TextEncoder();
  let time = 0;
  const frame = (
    channel: 'protocol' | 'lifecycle',
    direction: 'to-server' | 'to-client',
    text: string,
  ): FrameToRecord => {
    time += 50;
    return { time, channel, direction, flags: 0, bytes: encoder.encode(text) };
  };
  const event = (text: string) => frame('lifecycle', 'to-client', text);
  const out = (text: string) => frame('protocol', 'to-server', text);
  const back = (text: string) => frame('protocol', 'to-client', text);
  yield event(
    '{"event":"start","at":"2026-01-31T12:00:00.000Z","name":"long","transport":"stdio","command":"node","args":["server.js"]}',
  );
  yield out(
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}',
  );
  yield back(
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"long","version":"1"}}}',
  );
  yield event('{"event":"open","era":"legacy","version":"2025-11-25"}');
  for (let call = 1; ; call++) {
    const name = tools === 1 ? 'work' : `work_${call % tools}`;
    yield out(
      `{"jsonrpc":"2.0","id":${call},"method":"tools/call","params":{"name":"${name}","arguments":{"n":${call},"text":"${FILLER}"},"_meta":{"progressToken":${call}}}}`,
    );
    for (let step = 1; perCall === 5 && step <= 2; step++)
      yield back(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${call},"progress":${step},"total":2,"message":"${FILLER}"}}`,
      );
    if (perCall === 5)
      yield back(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${FILLER}"}}`);
    // A prime, so that the times of each tool differ.
    if (tools > 1) time += ((call * 7919) % 1009) * (1 + (call % tools));
    yield back(`{"jsonrpc":"2.0","id":${call},"result":{"content":[{"type":"text","text":"${FILLER}"}]}}`);
  }
}

/** Writes a recording of this many frames, with the index that the recorder writes. A call takes 5 or 2 frames. */
export async function writeLongRecording(file: string, count: number, perCall: 5 | 2 = 5, tools = 1): Promise<void> {
  const header = {
    mcpr: RECORDING_VERSION,
    id: '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11',
    at: '2026-01-31T12:00:00.000Z',
    by: 'bench/1',
    mode: 'client',
    name: 'long',
    transport: 'stdio',
    redaction: { policy: 'capture/2' },
  } as const;
  const recording = RecordingFile.create(file, header, new Unredacted([]));
  const source = frames(perCall, tools);
  for (let left = count; left > 0; left -= PORTION) {
    recording.add(Array.from({ length: Math.min(PORTION, left) }, () => source.next().value as FrameToRecord));
    // The recorder writes its indexes in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const failure = recording.end();
  if (failure !== undefined) throw new Error(failure);
}
