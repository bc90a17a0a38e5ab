import { isReportRequest, type ReportReply, type ReportRequest } from '@/features/team/lib/summary/report-api';
import { askRoute } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** The route of the page's report. `run` rejects with a Failure. */
export function reportRoute(run: (request: ReportRequest) => Promise<ReportReply>): HttpRoute {
  return askRoute({ path: '/api/report', accepts: isReportRequest, run });
}
