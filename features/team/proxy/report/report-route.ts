import { type ReportReply, type ReportRequest, SIDE_CHARS } from '@/features/team/lib/summary/report-api';
import { isFlag, isText, type JsonObject, objectWith, optional, type TypeCheck } from '@/lib/json/value';
import { askRoute } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

const isSide: TypeCheck = (value) => isText(value) && value !== '' && (value as string).length <= SIDE_CHARS;

const isRequest: TypeCheck = objectWith({
  bucket: isFlag,
  days: (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 36_500,
  compare: optional((value) => Array.isArray(value) && value.length === 2 && value.every(isSide)),
});

/** The route of the page's report. `run` rejects with a Failure. */
export function reportRoute(run: (request: ReportRequest) => Promise<ReportReply>): HttpRoute {
  const read = (value: JsonObject | undefined) => (isRequest(value) ? (value as unknown as ReportRequest) : undefined);
  return askRoute({ path: '/api/report', read, run });
}
