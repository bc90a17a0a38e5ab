import { encodeFrame, encodeHeaderOrEnd } from '../lib/recording/encode-lines';
import type { Channel, Direction } from '../lib/wire/frame';

/** A text that runs a script if any part of the page treats it as HTML, a link or a template. */
export const XSS =
  '</script></title><!--<script>globalThis.ran=1</script><img src=x onerror="globalThis.ran=1"><svg onload=globalThis.ran=1>' +
  '[a](javascript:globalThis.ran=1) ![b](https://evil.example/p.png) "\' onfocus=globalThis.ran=1 {{recording}}';

/** Returns a recording in which every string that a server or the file's author can choose is {@link XSS}. */
export function xssRecording(): Buffer {
  let n = 0;
  const frame = (channel: Channel, direction: Direction, content: unknown) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return encodeFrame(++n, { time: n * 1000, channel, direction, flags: 0, bytes: Buffer.from(text) });
  };
  const happened = (event: object) => frame('lifecycle', 'to-client', event);
  const sent = (id: number, method: string, params: object = {}) =>
    frame('protocol', 'to-server', { jsonrpc: '2.0', id, method, params });
  const got = (id: number, result: object) => frame('protocol', 'to-client', { jsonrpc: '2.0', id, result });
  const meta = { title: XSS, description: XSS, icons: [{ src: XSS, mimeType: XSS }], _meta: { [XSS]: XSS } };
  const schema = {
    type: 'object',
    title: XSS,
    properties: { [XSS]: { type: 'string', title: XSS, description: XSS, default: XSS, enum: [XSS] } },
    required: [XSS],
  };
  return Buffer.concat([
    encodeHeaderOrEnd({
      mcpr: 1,
      id: XSS,
      at: '2026-01-31T12:00:00.000Z',
      by: XSS,
      mode: 'client',
      name: XSS,
      transport: 'stdio',
      redaction: { policy: 'capture/1' },
    }),
    happened({
      event: 'start',
      at: '2026-01-31T12:00:00.000Z',
      name: XSS,
      transport: 'stdio',
      command: XSS,
      args: [XSS],
      cwd: XSS,
      protocol: 'auto',
      env: { policy: 'allowlist', inherited: [XSS], extras: [XSS] },
    }),
    happened({ event: 'spawned', pid: 7 }),
    sent(1, 'initialize', { protocolVersion: '2025-11-25', clientInfo: { name: XSS, version: XSS }, capabilities: {} }),
    got(1, {
      protocolVersion: '2025-11-25',
      serverInfo: { name: XSS, version: XSS, ...meta, websiteUrl: XSS },
      capabilities: { tools: {}, prompts: {}, resources: {}, experimental: { [XSS]: { [XSS]: XSS } } },
      instructions: XSS,
    }),
    happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
    sent(2, 'tools/list'),
    got(2, { tools: [{ name: XSS, ...meta, inputSchema: schema, outputSchema: schema, annotations: { title: XSS } }] }),
    sent(3, 'prompts/list'),
    got(3, { prompts: [{ name: XSS, ...meta, arguments: [{ name: XSS, ...meta }] }] }),
    sent(4, 'resources/list'),
    got(4, { resources: [{ uri: `x:${XSS}`, name: XSS, mimeType: XSS, ...meta }] }),
    sent(5, 'tools/call', { name: XSS, arguments: { [XSS]: XSS } }),
    got(5, {
      isError: true,
      structuredContent: { [XSS]: XSS },
      content: [
        { type: 'text', text: XSS },
        { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(`<svg>${XSS}</svg>`).toString('base64') },
        { type: 'audio', mimeType: XSS, data: XSS },
        { type: 'resource', resource: { uri: XSS, mimeType: 'text/html', text: XSS } },
        { type: 'resource_link', uri: XSS, name: XSS, ...meta },
      ],
    }),
    frame('protocol', 'to-client', {
      jsonrpc: '2.0',
      id: 6,
      method: 'sampling/createMessage',
      params: { messages: XSS },
    }),
    frame('protocol', 'to-client', { jsonrpc: '2.0', id: 5, error: { code: -1, message: XSS, data: XSS } }),
    frame('protocol', 'to-client', { jsonrpc: '2.0', method: XSS, params: { [XSS]: XSS } }),
    frame('protocol', 'to-client', XSS),
    frame('stderr', 'to-client', `\u001b[31m${XSS}\u001b]8;;javascript:globalThis.ran=1\u0007x`),
    frame('http', 'to-client', { kind: 'response', exchange: 1, status: 500, headers: [[XSS, XSS]] }),
    happened({ event: 'exit', code: null, signal: XSS }),
    happened({ event: XSS, message: XSS }),
  ]);
}
