import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requestOf, type Target } from './attack-row';

/** A response from the wire. */
export interface RawAnswer {
  /** 0 if the socket was closed without a response. */
  readonly status: number;
  /** Lower case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The whole response. */
  readonly text: string;
}

/** Returns the bytes of a request. Client libraries would refuse to send most of these. */
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

/** Opens a socket to 127.0.0.1. Resolves when it is connected. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Sends `text` as Latin-1 and reads the response to its Content-Length, to the end of a 101, or to the end. */
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

/** Upgrades without a library, so that any bytes can follow. Resolves after the 101. */
export async function openRawSocket(at: Target): Promise<Socket> {
  const { method, target, headers } = requestOf({ attack: 0, name: '', base: 'socket', status: 0, rules: [] }, at);
  const socket = await open(at.port);
  socket.write(requestText(method, target, headers));
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString().startsWith('HTTP/1.1 101')) throw new Error(head.toString());
  return socket;
}

/** Returns the head of a client frame, masked with a key of zeros, which changes nothing. */
export function frameHead(opcode: number, fin: boolean, length: number): Buffer {
  const first = (fin ? 0x80 : 0) | opcode;
  const key = Buffer.alloc(4);
  if (length < 126) return Buffer.concat([Buffer.from([first, 0x80 | length]), key]);
  const long = Buffer.alloc(10);
  long[0] = first;
  long[1] = 0x80 | 127;
  long.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([long, key]);
}

/** Resolves with the server's close code, or 0 if the socket ended without one. Skips other frames. */
export function closeCode(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4) {
        const length = received[1]! & 0x7f;
        if (received[0] === 0x88) resolve(received.readUInt16BE(2));
        received = received.subarray(2 + length);
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(0));
  });
}
