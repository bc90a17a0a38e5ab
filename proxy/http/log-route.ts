import { isObject, own } from '@/lib/wire/message';
import { bareReply, failureReply } from './reply';
import type { HttpRoute } from './routes';

type Read = (connection: string, frames: number) => ReadableStream<Uint8Array>;

/** `{"id": "c1", "frames": 9}` → the first nine frames of a connection as a recording, as `read` gives them. */
export function logRoute(read: Read): HttpRoute {
  return {
    method: 'POST',
    path: '/api/connections/log',
    upgrade: false,
    access: 'token',
    handle: ({ body }) => {
      const [id, frames] = fieldsOf(body);
      if (typeof id !== 'string' || !Number.isSafeInteger(frames) || (frames as number) < 0) return bareReply(400);
      try {
        return { status: 200, type: 'application/octet-stream', stream: { bytes: read(id, frames as number) } };
      } catch (error) {
        return failureReply(error);
      }
    },
  };
}

function fieldsOf(body: string): readonly unknown[] {
  try {
    const request: unknown = JSON.parse(body);
    return isObject(request) ? [own(request, 'id'), own(request, 'frames')] : [];
  } catch {
    return [];
  }
}
