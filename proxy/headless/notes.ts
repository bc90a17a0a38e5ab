import type { TapHost } from '@/lib/mcp/tap';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import type { Output } from '../terminal/output';
import { messagesIn } from './answer-texts';
import { jsonOf } from './json-of';

/** The method of log messages. They are found by these bytes, since the engine, which does not act on them, is not shown them. */
const LOG_METHOD = 'notifications/message';

/** A tap that tells people what the server prints beside its answers: stderr and log messages. */
export function notesTap(out: Output): TapHost['append'] {
  let seq = 0;
  return (channel, direction, _flags, _time, source, start, end) => {
    seq++;
    if (direction === 'to-client' && (channel === 'stderr' || channel === 'protocol')) {
      const bytes = Buffer.from(source.buffer, source.byteOffset + start, end - start);
      if (channel === 'stderr') out.note('stderr', bytes.toString());
      else if (bytes.includes(LOG_METHOD)) noteLog(bytes.toString(), out);
    }
    return seq;
  };
}

function noteLog(line: string, out: Output): void {
  for (const message of messagesIn(line)) {
    const params = isObject(message) && message.method === LOG_METHOD ? message.params : undefined;
    if (!isObject(params)) continue;
    const data = own(params, 'data');
    const who = [own(params, 'level'), own(params, 'logger')].filter((word) => typeof word === 'string').join(' ');
    out.note('log', `${who && `${who}: `}${typeof data === 'string' ? data : jsonOf(data)}`);
  }
}

/** Tells of each progress notification: how far, of how much, and what the server says to it. */
export function noteProgress(out: Output): (params: JsonObject) => void {
  return (params) => {
    const [progress, total] = [own(params, 'progress'), own(params, 'total')];
    const message = own(params, 'message');
    const far = `${typeof progress === 'number' ? progress : '?'}${typeof total === 'number' ? ` of ${total}` : ''}`;
    out.note('progress', typeof message === 'string' ? `${far} ${message}` : far);
  };
}
