import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { SseTransport } from '@/lib/transports/sse';
import { StreamableHttp } from '@/lib/transports/streamable-http';
import { type HttpFixture, httpConfig, type Seen, startHttp, stream } from './fixtures/http-fixture';
import { transportContract } from './test-transport-contract';

let fixture: HttpFixture;
const sessions = new Map<string, ServerResponse>();

beforeAll(async () => {
  fixture = await startHttp((request, response) => {
    if (request.url.startsWith('/sse/')) answerSse(request, response);
    else if (request.url === '/http/mirror') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(request.body);
    }
  });
});
afterAll(() => fixture.close());

/** `/sse/<kind>` opens a stream, `/sse/<kind>/<session>` accepts its messages. */
function answerSse({ method, url, body }: Seen, response: ServerResponse): void {
  if (method === 'GET') {
    const endpoint = `${url}/${sessions.size}`;
    sessions.set(endpoint, stream(response, `event: endpoint\ndata: ${endpoint}\n\n`));
    return;
  }
  const answers = sessions.get(url)!;
  if (url.startsWith('/sse/stubborn')) return;
  response.writeHead(202).end('Accepted');
  if (url.startsWith('/sse/print-and-exit')) {
    answers.end(Array.from({ length: 1000 }, (_, index) => `data: line ${index}\n\n`).join(''));
  } else {
    answers.write(Buffer.concat([Buffer.from('data: '), body, Buffer.from('\n\n')]));
  }
}

transportContract('http', (kind, sink) => new StreamableHttp(httpConfig(`${fixture.origin}/http/${kind}`, sink)), {
  lines: false,
  // A response without a body is not a message.
  cannotCarry: /^$/,
  noticesEnd: false,
});

transportContract('sse', (kind, sink) => new SseTransport(httpConfig(`${fixture.origin}/sse/${kind}`, sink)), {
  lines: false,
  // An event without data is not an event, and lines end at a carriage return too.
  cannotCarry: /^$|\r/,
  noticesEnd: true,
});
