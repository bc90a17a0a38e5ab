import { everyFrame } from '../lib/problems/test-every-frame';
import { encodeFrame, encodeHeaderOrEnd } from '../lib/recording/encode-lines';
import { framesOf } from '../lib/store/test-frames';
import type { ProtocolVersion } from '../lib/wire/lifecycle';

/** A text that runs a script if any part of the page treats it as HTML, a link or a template. */
export const XSS =
  '</script></title><!--<script>globalThis.ran=1</script><img src=x onerror="globalThis.ran=1"><svg onload=globalThis.ran=1>' +
  '<x-canary></x-canary>[a](javascript:globalThis.ran=1) ![b](https://evil.example/p.png) <https://evil.example/a> ' +
  '[c](data:text/html,<script>globalThis.ran=1</script>) "\' onfocus=globalThis.ran=1 {{recording}} \u202egnp.exe\u202c zero\u200bwidth';

/**
 * Returns a recording with every kind of frame, in which every string that a server or the file's author can choose is
 * {@link XSS}.
 */
export function xssRecording(version: ProtocolVersion = '2025-11-25'): Buffer {
  const header = encodeHeaderOrEnd({
    mcpr: 1,
    id: XSS,
    at: '2026-01-31T12:00:00.000Z',
    by: XSS,
    mode: 'client',
    name: XSS,
    transport: 'stdio',
    redaction: { policy: 'capture/1' },
  });
  const lines = framesOf(everyFrame(version, XSS)).map((frame) => encodeFrame(frame.seq, frame));
  return Buffer.concat([header, ...lines]);
}
