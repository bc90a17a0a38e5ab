// A minimal legacy Streamable HTTP server for benchmarks. It answers `echo` at once as JSON. On `flood` it streams
// `count` events of `size` bytes as fast as the socket accepts them. Prints its port.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.method === 'POST') answer(JSON.parse(body), response);
    else response.writeHead(405).end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', () => process.exit(0));

function reply(response, id, result) {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function answer({ id, method, params }, response) {
  if (id === undefined) response.writeHead(202).end();
  else if (method === 'flood') flood(id, params, response);
  else if (method === 'initialize') {
    reply(response, id, {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'http-flood', version: '1.0.0' },
    });
  } else reply(response, id, params);
}

/** Makes each message with JSON.stringify, like a real server, and collects writes up to 64 KiB. */
function flood(id, { count, size }, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const message = (n, data) => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'flood', data: { n, data } },
  });
  const data = 'x'.repeat(Math.max(0, size - JSON.stringify(message(1e9, '')).length));
  let n = 0;
  const write = () => {
    while (n < count) {
      let chunk = '';
      while (n < count && chunk.length < 65_536) {
        chunk += `event: message\ndata: ${JSON.stringify(message(n++, data))}\n\n`;
      }
      if (!response.write(chunk)) return response.once('drain', write);
    }
    response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { count } })}\n\n`);
  };
  write();
}
