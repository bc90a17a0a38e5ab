import { compactJson, tryParseJson } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import {
  type AcceptedAnswer,
  acceptAnswers,
  addCall,
  deleteCall,
  pinKeys,
  readPins,
  renameCall,
} from '@/lib/pins/pins-file';
import { paramsToSend } from '@/lib/replay/compare/recorded-client';
import { ConnectionError } from '@/lib/transports/transport';
import type { PinChange, PinChangedReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { bareReply, failureReply, jsonReply, type Reply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';
import { keyOf } from './digests';
import type { PinsOnDisk } from './pins-on-disk';

/** Longest change of the pins file in bytes: an answer of 16 MiB with all its quotes escaped. */
const CHANGE_BODY_BYTES = 32 * 1024 * 1024;
/** Characters of a call's name or method. */
const NAME_CHARS = 300;
const KEY_CHARS = 40;

/** Removes secrets from a text. */
type Redact = (text: string) => string;

/** Routes that read and change the pins file. */
export function pinsRoutes(file: PinsOnDisk, redact: Redact): readonly HttpRoute[] {
  const shared = { path: '/api/pins', upgrade: false, access: 'token' } as const;
  return [
    {
      ...shared,
      method: 'GET',
      handle: async ({ query }) => {
        const list = await file.list();
        // A page asks often, and a long list need not be sent again.
        const known = new URLSearchParams(query).get('version');
        return known !== null && known !== '' && known === list.version ? jsonReply(200, {}) : jsonReply(200, list);
      },
    },
    {
      ...shared,
      method: 'POST',
      bodyBytes: CHANGE_BODY_BYTES,
      handle: async ({ body }) => {
        const change = readChange(objectIn(body));
        return change
          ? changePins(file, change, redact).then((reply) => jsonReply(200, reply), failureReply)
          : bareReply(400);
      },
    },
    {
      ...shared,
      path: '/api/pins/answer',
      method: 'GET',
      handle: async ({ query }) =>
        acceptedAnswer(file, new URLSearchParams(query).get('key') ?? '').catch(failureReply),
    },
  ];
}

/** Answers with the accepted answer of a call, as JSON text. */
async function acceptedAnswer(file: PinsOnDisk, key: string): Promise<Reply> {
  const { pins, keys } = await file.read();
  const accepted = pins[keys.indexOf(key)]?.accepted;
  return accepted ? jsonReply(200, accepted) : failureReply(new ConnectionError(NO_SUCH_PIN));
}

/** Makes a change. Rejects with a ConnectionError if nothing was written. */
async function changePins(file: PinsOnDisk, change: PinChange, redact: Redact): Promise<PinChangedReply> {
  if (change.kind === 'pin') {
    const call = maskedCall(change, redact);
    const { key, again } = await file.change(({ text, keys }) => {
      const added = addCall(text, call);
      const key = pinKeys(readPins(added), keyOf).at(-1)!;
      // An equal call is pinned already. Its key has no number.
      const index = keys.indexOf(key.replace(/\.\d+$/, ''));
      if (index < 0) return { text: added, key, again: false };
      const accepted = call.accepted && new Map([[index, call.accepted]]);
      return { text: accepted ? acceptAnswers(text, accepted) : text, key: keys[index]!, again: true };
    });
    return {
      pins: await file.list(),
      key,
      ...(again && { again }),
      ...(call.masked && { masked: call.masked }),
    };
  }
  await file.change(({ text, keys }) => {
    const index = keys.indexOf(change.key);
    if (index < 0) throw new ConnectionError(NO_SUCH_PIN);
    return { text: change.kind === 'delete' ? deleteCall(text, index) : renameCall(text, index, change.name) };
  });
  return { pins: await file.list() };
}

/** Returns a call as it goes into the file: without secrets, and without what the engine adds to requests. */
function maskedCall({ method, params, answer }: Extract<PinChange, { kind: 'pin' }>, redact: Redact) {
  const sent = params && paramsToSend(params);
  const [kept, text] = [sent && redact(sent), answer && redact(answer.text)];
  const accepted: AcceptedAnswer | undefined = answer && { kind: answer.kind, text: text! };
  const masked: PinChangedReply['masked'] = kept !== sent ? 'call' : text !== answer?.text ? 'answer' : undefined;
  return { method, params: kept, accepted, masked };
}

/** Reads a change from a page; undefined if it is malformed. */
function readChange(value: JsonObject | undefined): PinChange | undefined {
  if (!value) return undefined;
  const [kind, key, name] = ['kind', 'key', 'name'].map((member) => own(value, member));
  if (kind === 'pin') return readCall(value);
  if (!isShort(key, KEY_CHARS)) return undefined;
  if (kind === 'delete') return { kind, key };
  return kind === 'rename' && isShort(name, NAME_CHARS) ? { kind, key, name } : undefined;
}

function readCall(value: JsonObject): PinChange | undefined {
  const [method, params, answer] = ['method', 'params', 'answer'].map((member) => own(value, member));
  if (!isShort(method, NAME_CHARS) || method === '') return undefined;
  const json = params === undefined ? undefined : readJson(params);
  if (params !== undefined && json === undefined) return undefined;
  const call = { kind: 'pin', method, ...(json !== undefined && { params: json }) } as const;
  if (answer === undefined) return call;
  const [kind, text] = isObject(answer) ? [own(answer, 'kind'), readJson(own(answer, 'text'))] : [];
  if ((kind !== 'result' && kind !== 'error') || text === undefined) return undefined;
  return { ...call, answer: { kind, text } };
}

/** Returns JSON text without white space; undefined for anything else. */
function readJson(value: unknown): string | undefined {
  return typeof value === 'string' && tryParseJson(value).ok ? compactJson(value) : undefined;
}

function isShort(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

const NO_SUCH_PIN: Failure = {
  code: 'no-pin',
  message: 'The pins file no longer has that call, or it has no accepted answer.',
  advice: 'Look at the pins again.',
};
