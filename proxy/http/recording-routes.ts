import { isFailure } from '@/lib/wire/lifecycle';
import { isObject, own } from '@/lib/wire/message';
import type { KeptRecordings } from '../recorder/kept-recordings';
import type { OpenedFile } from '../recorder/open-file';
import { bareReply, jsonReply, type Reply } from './reply';
import type { HttpRoute } from './routes';

/** What the page can do with the recordings that are kept. `open` makes one a connection and gives its id. */
export function recordingRoutes(
  kept: KeptRecordings,
  open: (file: OpenedFile) => Promise<string>,
): readonly HttpRoute[] {
  const about = (path: string, act: (id: string) => Promise<Reply>): HttpRoute => ({
    method: 'POST',
    path,
    upgrade: false,
    access: 'token',
    handle: async ({ body }) => {
      const id = idIn(body);
      return id === undefined ? bareReply(400) : act(id).catch(failureReply);
    },
  });
  return [
    {
      method: 'GET',
      path: '/api/recordings',
      upgrade: false,
      access: 'token',
      handle: async () => jsonReply(200, await kept.list()),
    },
    about('/api/recordings/open', async (id) =>
      jsonReply(200, { connection: await kept.open(id).then((file) => open({ ...file, name: id })) }),
    ),
    about('/api/recordings/delete', async (id) => {
      await kept.delete(id);
      return jsonReply(200, {});
    }),
    about('/api/recordings/file', async (id) => {
      const { bytes, length } = await kept.open(id);
      return { status: 200, type: 'application/octet-stream', stream: { bytes, length } };
    }),
  ];
}

function idIn(body: string): string | undefined {
  try {
    const request: unknown = JSON.parse(body);
    const id = isObject(request) ? own(request, 'id') : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** What can be told to people is; the rest is the server's to answer with 500. */
function failureReply(error: unknown): Reply {
  if (!isFailure(error)) throw error;
  const { code, message, advice } = error;
  return jsonReply(409, { code, message, advice });
}
