import type { IncomingMessage } from 'node:http';

/** The whole body as text, or undefined if it is longer than `most` bytes. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early must not destroy the socket: it has an answer to carry.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
