import { LIMITS } from '@/lib/wire/limits';
import { own } from '@/lib/wire/message';
import { isCallChange } from '@/lib/wire/saved-calls';
import type { SavedCallsFile } from '../recorder/saved-calls-file';
import { objectIn } from './read-body';
import { bareReply, failureReply, jsonReply, type Reply } from './reply';
import type { HttpRoute } from './routes';

/** Saved calls and recent arguments, for the page: read those of one tool, and change them. */
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
      bodyBytes: LIMITS.callBodyBytes,
      handle: ({ body }) => {
        const request = objectIn(body);
        const [key, change] = ['key', 'change'].map((name) => request && own(request, name));
        return isKey(key) && isCallChange(change) ? answer(calls.change(key, change)) : bareReply(400);
      },
    },
  ];
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.callKeyChars;
}
