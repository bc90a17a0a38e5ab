import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  /** 0 if the socket was closed without an answer. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Everything, for searching. */
  readonly text: string;
}

/** Bytes of a request, by hand: no client library would send most of these. */
export function requestText(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[],
  body = '',
  version = '1.1',
): string {
  const length: [string, string][] = body === '' ? [] : [['content-length', String(Buffer.byteLength(body))]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body}`;
}

/** Opens a socket to 127.0.0.1; resolves when it is connected. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Sends `text` as Latin-1 and reads the whole answer: to the end, to its Content-Length, or to the end of a 101. */
export async function exchange(port: number, text: string): Promise<RawAnswer> {
  const socket = await open(port);
  return new Promise((resolve) => {
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(parse(received));
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isWhole(received)) finish();
    });
    socket.on('close', finish);
    socket.write(Buffer.from(text, 'latin1'));
  });
}

function isWhole(received: string): boolean {
  const { status, headers, body } = parse(received);
  if (!received.includes('\r\n\r\n')) return false;
  return status === 101 || body.length >= Number(headers.get('content-length'));
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), text };
}
