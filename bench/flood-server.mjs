// A server for benchmarks: a minimal legacy MCP server that answers `echo` at once and, asked to `flood`, prints `count`
// lines of `size` bytes as fast as its stdout takes them.
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line) answer(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));

function reply(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

function answer({ id, method, params }) {
  if (method === 'initialize') {
    reply(id, {
      protocolVersion: params.protocolVersion,
      capabilities: {},
      serverInfo: { name: 'flood', version: '1.0.0' },
    });
  } else if (method === 'flood') flood(params.count, params.size, () => reply(id, { count: params.count }));
  else if (method === 'echo') reply(id, params);
  else if (id !== undefined) {
    const error = { code: -32601, message: 'Method not found' };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }
}

/** Each message is made as a server makes it, by JSON.stringify; only the writes are gathered, to 64 KiB. */
function flood(count, size, done) {
  const message = (n, data) => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'flood', data: { n, data } },
  });
  const data = 'x'.repeat(Math.max(0, size - JSON.stringify(message(1e9, '')).length - 1));
  let n = 0;
  const write = () => {
    while (n < count) {
      let text = '';
      while (n < count && text.length < 65_536) text += `${JSON.stringify(message(1e9 + n++, data))}\n`;
      if (!process.stdout.write(text)) {
        process.stdout.once('drain', write);
        return;
      }
    }
    done();
  };
  write();
}
