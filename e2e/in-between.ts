import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { certificateFile, keyFile } from '../proxy/connection/fixtures/tls-fixture';

/** A port forwarder or reverse proxy between the browser and mcp-inspect. */
export interface InBetween {
  readonly port: number;
  /** Sets the port of mcp-inspect. Called late, because mcp-inspect is started with our port. */
  leadTo(port: number): void;
  close(): void;
}

/** Forwards bytes, as `docker -p` and `ssh -L` do. */
export function forwardPort(): Promise<InBetween> {
  return listening((to) =>
    createTcpServer((browser) => {
      const proxy = connect(to(), '127.0.0.1');
      joinSockets(browser, proxy);
    }),
  );
}

interface ReverseProxy {
  readonly path: string;
  readonly strips: boolean;
  readonly tls: boolean;
}

/**
 * Forwards requests and upgrades below a path, with the browser's Host, as an ingress does. Answers 404 to the rest.
 */
export function reverseProxy({ path, strips, tls }: ReverseProxy): Promise<InBetween> {
  return listening((to) => {
    const ask = ({ url = '', method, headers }: IncomingMessage) => {
      const below = url === path || url.startsWith(`${path}/`);
      if (!below) return undefined;
      const target = strips ? url.slice(path.length) || '/' : url;
      return request({ host: '127.0.0.1', port: to(), method, path: target, headers });
    };
    const server = tls
      ? createTlsServer({ cert: readFileSync(certificateFile('server')), key: readFileSync(keyFile('server')) })
      : createServer();
    server.on('request', (incoming, response) => {
      const asked = ask(incoming);
      if (!asked) return response.writeHead(404).end('not below the path');
      asked.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(response);
      });
      asked.on('error', () => response.destroy());
      incoming.pipe(asked);
    });
    server.on('upgrade', (incoming: IncomingMessage, browser: Socket, head: Buffer) => {
      const asked = ask(incoming);
      if (!asked) return browser.destroy();
      asked.on('response', () => browser.destroy());
      asked.on('error', () => browser.destroy());
      asked.on('upgrade', ({ rawHeaders }, proxy, first) => {
        const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []));
        browser.write(`HTTP/1.1 101 Switching Protocols\r\n${pairs.join('\r\n')}\r\n\r\n`);
        browser.write(first);
        proxy.write(head);
        joinSockets(browser, proxy);
      });
      asked.end();
    });
    return server;
  });
}

function joinSockets(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}

async function listening(make: (to: () => number) => Server): Promise<InBetween> {
  let target = 0;
  const server = make(() => target);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
      // Sockets that the browser keeps open still lead to the old port.
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
