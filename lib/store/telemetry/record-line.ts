import { previewJson } from '@/lib/json/compact';
import { memberText, partialMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { decodeLossy } from '../classify';
import type { LogLine } from '../rows/log-message';
import { unitDetails } from './unit-details';

/** Reads the start of a log record's frame as a log line. Its level is the row's name. */
export function readRecordLine(bytes: Uint8Array, chars: number): LogLine {
  const unit = partialMembers(decodeLossy(bytes));
  const body = partialMembers(unit.get('log') ?? '').get('body') ?? '';
  const text = memberText(partialMembers(body).get('stringValue'));
  return {
    level: undefined,
    logger: memberText(unit.get('service')) || undefined,
    data: withoutAnsi(text ?? previewJson(body, chars)),
  };
}

/** Returns the body of a log record as JSON; undefined if it has none. */
export function recordBody(bytes: Uint8Array): JsonSource | undefined {
  const details = unitDetails(bytes);
  return details?.unit === 'log' && details.bodyJson !== 'null' ? JsonSource.parse(details.bodyJson) : undefined;
}
