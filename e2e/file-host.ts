import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as withHosts } from './cors-servers';

/** Behaviour of a {@link FileHost}. */
interface HostOptions {
  /** Absent: every origin. '' sends no CORS headers at all. */
  readonly origin?: string;
  /** Absent: `Content-Range, ETag`. */
  readonly expose?: string;
  /** Answers some requests in another way. Returns true if it did. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A host of one file, with ranges, as object stores are. */
export interface FileHost {
  readonly url: string;
  /** Requests other than preflights. */
  readonly asked: IncomingMessage[];
  /** Bytes of the file sent so far. */
  readonly sent: () => number;
  etag: string;
}

interface Fixtures {
  /** Serves a file. The fixture stops it after the test. */
  hostFile(file: string, options?: HostOptions): Promise<FileHost>;
}

export const test = withHosts.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  hostFile: async ({}, use) => {
    const servers: Server[] = [];
    await use(async (file, options = {}) => {
      const host = { url: '', asked: [] as IncomingMessage[], sent: () => sent, etag: '"1"' };
      let sent = 0;
      const server = createServer((request, response) => {
        allow(response, options);
        if (request.method === 'OPTIONS') {
          response.writeHead(204).end();
          return;
        }
        host.asked.push(request);
        if (options.answer?.(request, response)) return;
        const { size } = statSync(file);
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
        const start = Number(from ?? 0);
        const end = Math.min(size - 1, Number(to ?? size));
        response.setHeader('etag', host.etag);
        response.setHeader('content-length', end - start + 1);
        if (from !== undefined) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
        response.writeHead(from === undefined ? 200 : 206);
        createReadStream(file, { start, end })
          .on('data', (bytes) => {
            sent += bytes.length;
          })
          .pipe(response);
      });
      servers.push(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/team/run.mcpr.jsonl`;
      return host;
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
});

function allow(response: ServerResponse, { origin = '*', expose = 'Content-Range, ETag' }: HostOptions): void {
  if (origin === '') return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', 'range');
  if (expose !== '') response.setHeader('access-control-expose-headers', expose);
}
