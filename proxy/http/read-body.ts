import type { IncomingMessage } from 'node:http';
import { ConnectionError } from '@/lib/transports/transport';
import { formatBytes } from '@/lib/wire/format-bytes';
import { isObject, type JsonObject } from '@/lib/wire/message';

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

/** The JSON object that a body is, or undefined. */
export function objectIn(body: string): JsonObject | undefined {
  try {
    const request: unknown = JSON.parse(body);
    return isObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}

/** The body in pieces, as they come. Throws a ConnectionError `file-too-large` beyond `most` bytes. */
export async function* readFile(request: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) {
      throw new ConnectionError({
        code: 'file-too-large',
        message: `A file of more than ${formatBytes(most)} is not imported.`,
        advice: 'Copy it into the folder of recordings yourself, or open it from where it is.',
      });
    }
    yield chunk;
  }
}
