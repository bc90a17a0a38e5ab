import { once } from 'node:events';
import type { Socket } from 'node:net';
import { requestOf } from './attack-row';
import type { Target } from './good-requests';
import { open, requestText } from './raw-client';

/** Upgrades by hand, so that any bytes can follow. Resolves after the 101. */
export async function openRawSocket(at: Target): Promise<Socket> {
  const { method, target, headers } = requestOf({ attack: 0, name: '', base: 'socket', status: 0, rules: [] }, at);
  const socket = await open(at.port);
  socket.write(requestText(method, target, headers));
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString().startsWith('HTTP/1.1 101')) throw new Error(head.toString());
  return socket;
}

/** The head of a client frame: masked as the protocol demands, with a key of zeros that changes nothing. */
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

/** The code with which the server closes, or 0 if the socket ended without one. Other frames are skipped. */
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
