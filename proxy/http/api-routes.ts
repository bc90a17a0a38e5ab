import { type JsonObject, own } from '@/lib/json/value';
import { isRetention } from '@/lib/recording/retention';
import type {
  RecordingConvertedLine,
  RecordingImportedReply,
  RecordingOpenedReply,
  ServersReply,
} from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { isCallChange } from '@/lib/wire/saved-calls';
import { readSettings } from '@/lib/wire/settings';
import type { KeptRecordings } from '@/proxy/recorder/kept-recordings';
import type { OpenedFile } from '@/proxy/recorder/open-file';
import type { SavedCallsFile } from '@/proxy/recorder/saved-calls-file';
import type { SettingsFile } from '@/proxy/recorder/settings-file';
import { bareReply, failureReply, jsonReply, type Reply } from './reply';
import { type HttpRoute, objectIn } from './routes';

/** Longest change of saved calls in bytes: 50,000 characters, which JSON may escape with 6 bytes each, and overhead. */
export const CALL_BODY_BYTES = 6 * 50_000 + 16 * 1024;
/** Longest change of settings in bytes. Nearly all of it may be servers that are not asked about. */
const SETTINGS_BODY_BYTES = 6 * LIMITS.unconfirmedServers * LIMITS.callKeyChars + 16 * 1024;
/** Longest request about a recording or a server in bytes. It may hold a name and a note, or a command. */
const ABOUT_BODY_BYTES = 64 * 1024;

/** Routes for kept recordings. `open` makes a connection from one and returns its id. */
export function recordingRoutes(
  kept: KeptRecordings,
  open: (file: OpenedFile) => Promise<string>,
): readonly HttpRoute[] {
  const post = (path: string, act: (request: JsonObject) => Promise<Reply> | undefined): HttpRoute => ({
    method: 'POST',
    path,
    upgrade: false,
    access: 'token',
    bodyBytes: ABOUT_BODY_BYTES,
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
      return isRetention(request) ? kept.keep(request, anyway).then((reply) => jsonReply(200, reply)) : undefined;
    }),
    post('/api/recordings/seen', () => kept.clearDeleted().then(done)),
    {
      method: 'POST',
      path: '/api/recordings/import',
      upgrade: false,
      access: 'token',
      takesFile: true,
      handle: ({ file, gone }) =>
        replyWithProgress((onConverted) =>
          kept
            .import(file!, { gone, onConverted })
            .then((id) => jsonReply(200, { id } satisfies RecordingImportedReply))
            .catch(failureReply),
        ),
    },
  ];
}

/**
 * Resolves with the reply of `work`. If `work` reports progress before, resolves with a reply that has a line for each
 * report. Its last line is the body of the other reply.
 */
function replyWithProgress(work: (onConverted: (progress: ReadingProgress) => void) => Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let lines: WritableStreamDefaultWriter<Uint8Array> | undefined;
    const write = (line: string | Buffer): void => {
      // The reader may have gone. Then the work is ended too.
      lines?.write(Buffer.from(`${line}\n`)).catch(() => {});
    };
    const onConverted = (converted: ReadingProgress): void => {
      if (!lines) {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        lines = writable.getWriter();
        resolve({ status: 200, type: 'application/x-ndjson', stream: { bytes: readable } });
      }
      write(JSON.stringify({ converted } satisfies RecordingConvertedLine));
    };
    work(onConverted).then(
      (reply) => {
        if (!lines) return resolve(reply);
        write(reply.body ?? '');
        lines.close().catch(() => {});
      },
      (error) => {
        if (!lines) return reject(error);
        lines.abort(error).catch(() => {});
      },
    );
  });
}

function done(): Reply {
  return jsonReply(200, {});
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

/** Routes that read and change the saved calls and recent arguments of a tool. */
export function callsRoutes(calls: Pick<SavedCallsFile, 'read' | 'change'>): readonly HttpRoute[] {
  const shared = { path: '/api/calls', upgrade: false, access: 'token' } as const;
  const answer = (reply: Promise<unknown>): Promise<Reply> =>
    reply.then((value) => jsonReply(200, value)).catch(failureReply);
  return [
    {
      ...shared,
      method: 'GET',
      handle: ({ query }) => {
        const key = new URLSearchParams(query).get('key');
        return isKey(key) ? answer(calls.read(key)) : bareReply(400);
      },
    },
    {
      ...shared,
      method: 'POST',
      bodyBytes: CALL_BODY_BYTES,
      handle: ({ body }) => {
        const request = objectIn(body);
        const [key, change] = ['key', 'change'].map((name) => request && own(request, name));
        return isKey(key) && isCallChange(change) ? answer(calls.change(key, change)) : bareReply(400);
      },
    },
  ];
}

/** Route that changes the kept servers and answers with all servers. `change` returns undefined for a bad request. */
export function serversRoute(change: (request: JsonObject) => Promise<ServersReply> | undefined): HttpRoute {
  return {
    method: 'POST',
    path: '/api/servers/change',
    upgrade: false,
    access: 'token',
    bodyBytes: ABOUT_BODY_BYTES,
    handle: async ({ body }) => {
      const request = objectIn(body);
      const reply = request && change(request)?.then((servers) => jsonReply(200, servers));
      return reply?.catch(failureReply) ?? bareReply(400);
    },
  };
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.callKeyChars;
}

/** Routes that read the settings, and change those in the body. */
export function settingsRoutes(file: Pick<SettingsFile, 'read' | 'change'>): readonly HttpRoute[] {
  const shared = { path: '/api/settings', upgrade: false, access: 'token' } as const;
  return [
    { ...shared, method: 'GET', handle: () => jsonReply(200, file.read()) },
    {
      ...shared,
      method: 'POST',
      bodyBytes: SETTINGS_BODY_BYTES,
      handle: ({ body }) => {
        const change = readSettings(objectIn(body));
        if (!change || change.ignored.length > 0) return bareReply(400);
        return file.change(change.settings).then((reply) => jsonReply(200, reply), failureReply);
      },
    },
  ];
}

type Read = (connection: string, frames: number) => ReadableStream<Uint8Array>;

/** Route that answers `{"id": "c1", "frames": 9}` with the first 9 frames of a connection, as a recording. */
export function logRoute(read: Read): HttpRoute {
  return {
    method: 'POST',
    path: '/api/connections/log',
    upgrade: false,
    access: 'token',
    handle: ({ body }) => {
      const request = objectIn(body) ?? {};
      const [id, frames] = [own(request, 'id'), own(request, 'frames')];
      if (typeof id !== 'string' || !Number.isSafeInteger(frames) || (frames as number) < 0) return bareReply(400);
      try {
        return { status: 200, type: 'application/octet-stream', stream: { bytes: read(id, frames as number) } };
      } catch (error) {
        return failureReply(error);
      }
    },
  };
}
