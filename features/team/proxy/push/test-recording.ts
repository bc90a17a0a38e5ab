import { writeFileSync } from 'node:fs';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';

/** Writes a recording with `frames` messages of about `bytes` bytes each, and a text in the first. */
export function writeRecording(path: string, frames: number, bytes: number, text = 'hello'): void {
  const words = 'the server reads a file and tells what is in it. '.repeat(Math.ceil(bytes / 49)).slice(0, bytes);
  const lines = Array.from({ length: frames }, (_, index) => {
    const result = index === 0 ? { text } : { text: `${index} ${words}` };
    const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: index, result }));
    return encodeFrame(index + 1, {
      time: index,
      channel: 'protocol',
      direction: 'to-client',
      flags: 0,
      bytes: message,
    });
  });
  const end = encodeHeaderOrEnd({ k: 'end', t: frames, frames });
  writeFileSync(path, Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), ...lines, end]));
}
