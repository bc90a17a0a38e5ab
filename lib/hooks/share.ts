import { useCallback, useEffect, useRef, useState } from 'react';
import { ShareClient, viewerTemplate } from '@/lib/client/share-client';
import { startShareWorker } from '@/lib/client/workers';
import type { FrameSelection } from '@/lib/sharing/selection';
import type { ReviewResult, ShareRequest, ShareResult, ShareSource } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';
import { useUnchecked } from './problems';

/** What is under way, and how far: 0 to 1. */
export interface ShareProgress {
  readonly what: 'Reading the log' | 'Looking for secrets' | 'Making it';
  readonly share: number;
}

/** What is made, without what only the page has. */
export type ShareWish = Omit<ShareRequest, 'template' | 'unchecked'>;

/** The sharing of a log, `live` or recorded, as it is now, by a worker that lives as long as whoever uses this. */
export function useShare(
  log: Log,
  about: ShareSource['about'],
  selection: FrameSelection,
  live: boolean,
): {
  readonly reviewed: ReviewResult | undefined;
  readonly progress: ShareProgress | undefined;
  readonly failure: Failure | undefined;
  /** Each resolves to undefined if it failed, which `failure` then tells. */
  readonly count: (pattern: ShareRequest['patterns'][number]) => Promise<number | undefined>;
  readonly make: (wish: ShareWish) => Promise<ShareResult | undefined>;
} {
  const desk = useRef<{ readonly desk: ShareClient; readonly read: Promise<void> }>(undefined);
  const [reviewed, setReviewed] = useState<ReviewResult>();
  const [progress, setProgress] = useState<ShareProgress>();
  const [failure, setFailure] = useState<Failure>();
  const [first] = useState(about);
  const client = useClient();

  useEffect(() => {
    const made = new ShareClient(startShareWorker());
    const told = (done: number, total: number) => setProgress({ what: 'Reading the log', share: done / total });
    const frames = log.size;
    const read = live
      ? client.readLog(log.connection, frames).then((bytes) => made.readRecording(bytes, frames, first, told))
      : made.read(log, first, told);
    read.catch(() => {});
    desk.current = { desk: made, read };
    return () => made.close();
  }, [log, first, live, client]);

  useEffect(() => {
    let wanted = true;
    const { desk: made, read } = desk.current!;
    setReviewed(undefined);
    setFailure(undefined);
    read
      .then(() =>
        made.review(selection, (done, total) => {
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
      setProgress({ what: 'Making it', share: 0 });
      try {
        const template = wish.kind === 'html' ? { template: await viewerTemplate() } : {};
        const told = (done: number, total: number) => setProgress({ what: 'Making it', share: done / total });
        // What the page's own rules hung over would hang here as well.
        const left = wish.kind === 'markdown' && unchecked ? { unchecked } : {};
        return await desk.current!.desk.make({ ...wish, ...template, ...left }, told);
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
      desk.current!.desk.count(pattern).catch((error) => {
        // A dialog that was closed ends what it waited for.
        if ((error as Failure).code !== 'cancelled') setFailure(error as Failure);
        return undefined;
      }),
    [],
  );
  return { reviewed, progress, failure, count, make };
}
