import type { RecordingImportedReply, RecordingOpenedReply } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { type JsonObject, own } from '@/lib/wire/message';
import { isKept } from '../recorder/keep-settings';
import type { KeptRecordings } from '../recorder/kept-recordings';
import type { OpenedFile } from '../recorder/open-file';
import { objectIn } from './read-body';
import { bareReply, failureReply, jsonReply, type Reply } from './reply';
import type { HttpRoute } from './routes';

/** What the page can do with the recordings that are kept. `open` makes one a connection and gives its id. */
export function recordingRoutes(
  kept: KeptRecordings,
  open: (file: OpenedFile) => Promise<string>,
): readonly HttpRoute[] {
  const post = (path: string, act: (request: JsonObject) => Promise<Reply> | undefined): HttpRoute => ({
    method: 'POST',
    path,
    upgrade: false,
    access: 'token',
    bodyBytes: LIMITS.aboutBodyBytes,
    handle: async ({ body }) => {
      const request = objectIn(body);
      return (request && act(request)?.catch(failureReply)) ?? bareReply(400);
    },
  });
  const about = (path: string, act: (id: string) => Promise<Reply>) =>
    post(path, (request) => {
      const id = own(request, 'id');
      return typeof id === 'string' ? act(id) : undefined;
    });
  return [
    {
      method: 'GET',
      path: '/api/recordings',
      upgrade: false,
      access: 'token',
      handle: async ({ query }) => {
        const most = Number(new URLSearchParams(query).get('most') ?? LIMITS.recordingsListed);
        return Number.isSafeInteger(most) && most > 0 ? jsonReply(200, await kept.list(most)) : bareReply(400);
      },
    },
    about('/api/recordings/open', async (id) => {
      const connection = await kept.open(id).then((file) => open({ ...file, name: id }));
      return jsonReply(200, { connection } satisfies RecordingOpenedReply);
    }),
    about('/api/recordings/delete', (id) => kept.delete(id).then(done)),
    about('/api/recordings/file', async (id) => {
      const { bytes, length } = await kept.open(id);
      return { status: 200, type: 'application/octet-stream', stream: { bytes, length } };
    }),
    post('/api/recordings/about', (request) => {
      const [id, name, text] = ['id', 'name', 'text'].map((key) => own(request, key));
      const sound = isText(id, LIMITS.noteChars) && isText(name, LIMITS.recordingNameChars);
      return sound && isText(text, LIMITS.noteChars) ? kept.describe(id, { name, text }).then(done) : undefined;
    }),
    post('/api/recordings/keep', (request) => {
      const anyway = own(request, 'anyway') === true;
      return isKept(request) ? kept.keep(request, anyway).then((reply) => jsonReply(200, reply)) : undefined;
    }),
    post('/api/recordings/seen', () => kept.seen().then(done)),
    {
      method: 'POST',
      path: '/api/recordings/import',
      upgrade: false,
      access: 'token',
      takesFile: true,
      handle: ({ file }) =>
        kept
          .import(file!)
          .then((id) => jsonReply(200, { id } satisfies RecordingImportedReply))
          .catch(failureReply),
    },
  ];
}

function done(): Reply {
  return jsonReply(200, {});
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}
