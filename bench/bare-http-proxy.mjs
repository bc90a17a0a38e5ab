// The smallest reverse proxy of Node, for comparison: `node bare-http-proxy.mjs URL`. Prints its port.
import { Agent, createServer, request } from 'node:http';

const { hostname, port } = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const passed = request({ hostname, port, method, path, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
