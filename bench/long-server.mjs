// The server of the long recording (long-recording.ts): it answers each call as the recording has it. Its arguments are
// the frames of a call, 5 or 2, and the call at which it exits with 1, if any.
import { createInterface } from 'node:readline';

const FILLER = 'x'.repeat(380);
const [perCall, last] = process.argv.slice(2).map(Number);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params) => send({ method, params });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const capabilities = { tools: {}, logging: {} };
    const serverInfo = { name: 'long', version: '1' };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } });
  } else if (method === 'tools/call') {
    if (params.arguments.n === last) process.exit(1);
    const progressToken = params._meta?.progressToken;
    for (let progress = 1; perCall === 5 && progress <= 2; progress++)
      notify('notifications/progress', { progressToken, progress, total: 2, message: FILLER });
    if (perCall === 5) notify('notifications/message', { level: 'info', data: FILLER });
    send({ id, result: { content: [{ type: 'text', text: FILLER }] } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
}
