import { useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { ExternalLink } from '@/components/untrusted/links';
import { doubts, type HostObstacle, type ObstaclePlace } from '@/features/host-judge';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { safeUrl } from '@/lib/wire/safe-url';
import { LOSS_LABELS, sentenceCase } from '../lib/labels';
import { fieldOf } from './place-pointer';

/** Places shown at first, and most places. A list may have thousands of tools. */
const SHOWN = 3;
const MOST = 200;

/** An obstacle: what the host does, the places that break it, what to do, and who says so. */
export function ObstacleItem({ log, obstacle }: { readonly log: Log; readonly obstacle: HostObstacle }) {
  const { loses, isReported, does, advice, places } = obstacle;
  const [isWhole, setWhole] = useState(false);
  const shown = places.slice(0, isWhole ? MOST : SHOWN);
  const more = places.length - shown.length;
  const isGrave = loses === 'server' || loses === 'all-tools';
  return (
    <li className="min-w-0">
      <p className="break-words">
        <span className={isReported ? 'text-muted' : isGrave ? 'text-error' : 'text-warn'}>{LOSS_LABELS[loses]}</span>
        <span className="text-muted"> · </span>
        <span className="font-medium">
          <Sentence text={sentenceCase(does)} />
        </span>
      </p>
      <ul className="my-0.5 border-l border-line pl-2">
        {shown.map((place, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no other identity
          <Place key={at} log={log} place={place} />
        ))}
      </ul>
      {more > 0 &&
        (isWhole ? (
          <p className="pl-2 text-muted">… {formatCount(more)} more, not shown</p>
        ) : (
          <button type="button" className="pl-2 text-link" onClick={() => setWhole(true)}>
            … {formatCount(more)} more
          </button>
        ))}
      <p className="break-words">
        <Sentence text={advice} />
      </p>
      <Source obstacle={obstacle} />
    </li>
  );
}

function Place({ log, place }: { readonly log: Log; readonly place: ObstaclePlace }) {
  const { words, seq, path } = place;
  return (
    <li className="break-words">
      <bdi>
        <Sentence text={words} />
      </bdi>{' '}
      <span className="text-small whitespace-nowrap text-muted">
        <FrameLink seq={seq} label="Frame" {...fieldOf(log, place)} />
      </span>
      {path !== undefined && (
        <code className="ml-2 text-small break-all text-muted @max-[440px]:hidden">{visibleText(path)}</code>
      )}
    </li>
  );
}

function Source({ obstacle }: { readonly obstacle: HostObstacle }) {
  const { source, on } = obstacle;
  return (
    <p className="flex min-w-0 flex-wrap gap-x-3 text-small text-muted">
      <span className="min-w-0 break-all">
        Source: {safeUrl(source) === undefined ? source : <ExternalLink address={source}>{source}</ExternalLink>}
      </span>
      {on !== '' && <time dateTime={on}>{on}</time>}
      {doubts(obstacle).map((doubt) => (
        <span key={doubt}>{doubt}</span>
      ))}
    </p>
  );
}
