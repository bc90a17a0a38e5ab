import { type Check, isText, type JsonObject, objectWith, optional } from '@/lib/json/value';
import { type ReportReply, type ReportRequest, SIDE_CHARS } from '@/lib/summary/report-api';
import { bareReply, failureReply, jsonReply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';

/** The route of the page's report. `run` rejects with a Failure. */
export function reportRoutes(run: (request: ReportRequest) => Promise<ReportReply>): readonly HttpRoute[] {
  return [
    {
      path: '/api/report',
      method: 'POST',
      upgrade: false,
      access: 'token',
      handle: async ({ body }) => {
        const request = objectIn(body);
        return isRequest(request) ? run(request).then((reply) => jsonReply(200, reply), failureReply) : bareReply(400);
      },
    },
  ];
}

const isSide: Check = (value) => isText(value) && value !== '' && (value as string).length <= SIDE_CHARS;

const FIELDS: Check = objectWith({
  bucket: (value) => typeof value === 'boolean',
  days: (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 36_500,
  compare: optional((value) => Array.isArray(value) && value.length === 2 && value.every(isSide)),
});

function isRequest(value: JsonObject | undefined): value is JsonObject & ReportRequest {
  return FIELDS(value);
}

/** A report for pages. */
interface Reports {
  run(request: ReportRequest): Promise<ReportReply>;
  stop(): void;
}

/** The page's report, whose code is loaded when a page first asks. */
export class LazyReport {
  readonly #load: () => Promise<Reports>;
  #loading: Promise<Reports> | undefined;

  constructor(load: () => Promise<Reports>) {
    this.#load = load;
  }

  async run(request: ReportRequest): Promise<ReportReply> {
    this.#loading ??= this.#load();
    return (await this.#loading).run(request);
  }

  async close(): Promise<void> {
    (await this.#loading?.catch(() => undefined))?.stop();
  }
}
