import { useCallback, useEffect, useRef, useState } from 'react';
import { ShareClient, viewerTemplate } from '@/lib/client/share-client';
import { startShareWorker } from '@/lib/client/workers';
import type { FrameSelection } from '@/lib/sharing/selection';
import type { ReviewResult, ShareRequest, ShareResult, ShareSource } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';
import { useUnchecked } from './problems';

/** The work under way and its progress, 0 to 1. */
export interface ShareProgress {
  readonly what: 'Reading the log' | 'Looking for secrets' | 'Creating the output';
  readonly share: number;
}

/** The request for an output, without the parts that the hook adds. */
export type ShareWish = Omit<ShareRequest, 'template' | 'unchecked'>;

/** Shares a log as it is now, `live` or recorded. A worker does the work, and lives as long as the component. */
export function useShare(
  log: Log,
  about: ShareSource['about'],
  selection: FrameSelection,
  live: boolean,
): {
  readonly reviewed: ReviewResult | undefined;
  readonly progress: ShareProgress | undefined;
  readonly failure: Failure | undefined;
  /** Both resolve to undefined if they fail; see `failure`. */
  readonly count: (pattern: ShareRequest['patterns'][number]) => Promise<number | undefined>;
  readonly make: (wish: ShareWish) => Promise<ShareResult | undefined>;
} {
  const work = useRef<{ readonly sharing: ShareClient; readonly read: Promise<void> }>(undefined);
  const [reviewed, setReviewed] = useState<ReviewResult>();
  const [progress, setProgress] = useState<ShareProgress>();
  const [failure, setFailure] = useState<Failure>();
  const [first] = useState(about);
  const client = useClient();

  useEffect(() => {
    const sharing = new ShareClient(startShareWorker());
    const onProgress = (done: number, total: number) => setProgress({ what: 'Reading the log', share: done / total });
    const frames = log.size;
    const read = live
      ? client.readLog(log.connection, frames).then((bytes) => sharing.readRecording(bytes, frames, first, onProgress))
      : sharing.read(log, first, onProgress);
    read.catch(() => {});
    work.current = { sharing, read };
    return () => sharing.close();
  }, [log, first, live, client]);

  useEffect(() => {
    let wanted = true;
    const { sharing, read } = work.current!;
    setReviewed(undefined);
    setFailure(undefined);
    read
      .then(() =>
        sharing.review(selection, (done, total) => {
          if (wanted) setProgress({ what: 'Looking for secrets', share: done / total });
        }),
      )
      .then(
        (found) => wanted && setReviewed(found),
        (error) => wanted && setFailure(error as Failure),
      )
      .finally(() => wanted && setProgress(undefined));
    return () => {
      wanted = false;
    };
  }, [selection]);

  const unchecked = useUnchecked(log);
  const make = useCallback(
    async (wish: ShareWish) => {
      setFailure(undefined);
      setProgress({ what: 'Creating the output', share: 0 });
      try {
        const template = wish.kind === 'html' ? { template: await viewerTemplate() } : {};
        const onProgress = (done: number, total: number) =>
          setProgress({ what: 'Creating the output', share: done / total });
        // Leave out schema checks that hung the page's own rules, since they would hang the report too.
        const left = wish.kind === 'markdown' && unchecked ? { unchecked } : {};
        return await work.current!.sharing.make({ ...wish, ...template, ...left }, onProgress);
      } catch (error) {
        setFailure(error as Failure);
        return undefined;
      } finally {
        setProgress(undefined);
      }
    },
    [unchecked],
  );
  const count = useCallback(
    (pattern: ShareRequest['patterns'][number]) =>
      work.current!.sharing.count(pattern).catch((error) => {
        // Closing the dialog cancels pending counts.
        if ((error as Failure).code !== 'cancelled') setFailure(error as Failure);
        return undefined;
      }),
    [],
  );
  return { reviewed, progress, failure, count, make };
}
