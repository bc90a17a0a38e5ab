import { lastValue } from '@/proxy/cli/grammar';
import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { LazyPart } from '@/proxy/http/lazy-part';
import { bucketRoute } from './bucket/bucket-route';
import { readBucketOptions } from './bucket-options';
import { reportRoute } from './report/report-route';

/** Serves the recordings of buckets, and the report. Their code is loaded when the page first asks for them. */
export function serve({ hub, version, given, listed }: PageCore): PagePart {
  const url = listed ?? lastValue(given, 's3.from');
  const bucket = () => ({ url, options: readBucketOptions(given) });
  const buckets = new LazyPart(async () => {
    const { PageBuckets } = await import('./page-buckets');
    return new PageBuckets(hub, version, bucket());
  });
  const report = new LazyPart(async () => {
    const { PageReport } = await import('./report/page-report');
    return new PageReport(ownRecordingsFolder(), version, bucket());
  });
  return {
    routes: [
      bucketRoute(async (asked) => (await buckets.get()).run(asked)),
      reportRoute(async (asked) => (await report.get()).run(asked)),
    ],
    tabs: url === undefined ? ['report'] : ['bucket', 'report'],
    openAt: async (url, frame) => (await buckets.get()).open(url, frame),
    async close() {
      await Promise.all([buckets.close(), report.close()]);
    },
  };
}
