import { previewJson } from '@/lib/json/compact';
import { type JsonMembers, memberText, partialMembers } from '@/lib/json/members';
import { withoutBom } from '@/lib/json/parse';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { decodeLossy } from '../classify';

/** A log message on one line. Server text. */
export interface LogLine {
  /** undefined if missing. */
  readonly level: string | undefined;
  readonly logger: string | undefined;
  /** The data: text as it is, other values as compact JSON of at most `chars` characters. */
  readonly data: string;
}

/** Reads the params of a `notifications/message`, which may be cut. */
export function logLineOf(params: JsonMembers, chars: number): LogLine {
  const data = params.get('data') ?? '';
  return {
    level: memberText(params.get('level')),
    logger: memberText(params.get('logger')),
    data: withoutAnsi((data.startsWith('"') ? memberText(data) : undefined) ?? previewJson(data, chars)),
  };
}

/** Reads the bytes of a log message, or the first of them. */
export function readLogLine(bytes: Uint8Array, chars: number): LogLine {
  const params = partialMembers(withoutBom(decodeLossy(bytes))).get('params');
  return logLineOf(partialMembers(params?.startsWith('{') ? params : '{}'), chars);
}
