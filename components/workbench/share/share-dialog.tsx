import { useMemo, useState } from 'react';
import { PANELS } from '@/components/panels/registry';
import { Button, useCopy } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ErrorNote } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { saveFile } from '@/components/untrusted/download';
import { useLocation } from '@/lib/hooks/location';
import { type Share, type ShareOutput, useShare } from '@/lib/hooks/share';
import type { Findings } from '@/lib/redact/findings';
import type { ShareSource } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';
import { ALL_FRAMES, type ChosenFrames, FrameFields, selectionOf } from './chosen-frames';
import { type FindingGroup, groupFindings, type ShareDecisions } from './finding-groups';
import { FIRST_VIEW, FindingList, FindingListRoom } from './finding-list';
import { FormatDetails } from './format-details';
import { FormatTiles } from './format-tiles';
import { actionText, impossibleText, linkFault, outputBytes, SHARE_FORMATS, type ShareFormat } from './formats';
import { MaskPatterns, patternOf, usePatternPlaces } from './mask-patterns';
import { outcomeText, reviewSummary } from './masked-text';

const NO_GROUPS: readonly FindingGroup[] = [];

/** One dialog: the format, the frames, and what is masked. The button below names the result. */
export function ShareDialog({
  log,
  about,
  connection,
  panel,
  hidden,
  onAside,
  onClose,
}: {
  readonly log: Log;
  readonly about: ShareSource['about'];
  readonly connection: ConnectionSummary;
  /** The panel that shows the log, if it is not a connection’s. */
  readonly panel: string | undefined;
  /** Renders nothing but keeps its state, while the user looks at a message. */
  readonly hidden: boolean;
  readonly onAside: () => void;
  readonly onClose: () => void;
}) {
  const { frame, filter, navigate } = useLocation();
  const [chosen, setChosen] = useState<ChosenFrames>(ALL_FRAMES);
  const [decisions, setDecisions] = useState<ShareDecisions>(new Map());
  const [view, setView] = useState(FIRST_VIEW);
  const [patterns, setPatterns] = useState<readonly string[]>([]);
  const [id, setId] = useState<ShareFormat['id']>('html');
  const [options, setOptions] = useState({ compressed: true });
  const [page, setPage] = useState(() => `${window.location.origin}${window.location.pathname}`);
  const hasHttp = connection.transport !== 'stdio';
  const formats = useMemo(() => SHARE_FORMATS.filter((format) => format.id !== 'har' || hasHttp), [hasHttp]);
  const format = formats.find((one) => one.id === id)!;
  const share = useShare(log, about, connection.recording === undefined, {
    selection: useMemo(() => selectionOf(log, chosen), [log, chosen]),
    decisions: useMemo(() => [...decisions], [decisions]),
    patterns: useMemo(() => patterns.map(patternOf), [patterns]),
    name: fileName(connection),
    kind: format.kind(options),
    // A report refers to the gzipped recording.
    kinds: useMemo(() => [...new Set([...formats.map((one) => one.kind(options)), 'gz' as const])], [formats, options]),
    page,
    ...(frame !== undefined && panel === undefined && { about: frame }),
  });
  const { reviewed } = share;
  const groups = useMemo(() => (reviewed ? groupFindings(reviewed.findings, reviewed.facts) : NO_GROUPS), [reviewed]);
  const places = usePatternPlaces(patterns, reviewed, share.count);
  if (hidden) return null;
  const look = (seq: number) => {
    navigate(panel ? { panel, item: connection.id } : { connection: connection.id, frame: seq });
    onAside();
  };
  const first = log.size > 0 ? log.columns.channel(0) : undefined;
  const shownBy = PANELS.find(({ id, channel }) => id === panel || (channel !== undefined && channel === first));
  const tiles = formats.map((one) => {
    const kind = one.kind(options);
    const output = share.outputOf(kind);
    return {
      format: one,
      size: outputBytes(output),
      onDemand: share.isOnDemand(kind),
      impossible:
        shownBy && one.isOfServer
          ? `not for a ${shownBy.title.toLowerCase()}`
          : impossibleText(one, output, reviewed?.bytes),
    };
  });
  const output = share.outputOf(format.kind(options));
  return (
    <Dialog title="Share" width="wide" parts onClose={onClose}>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto">
        <FormatTiles tiles={tiles} chosen={format} onChoose={setId} />
        <FormatDetails
          {...{ format, output, options, page }}
          selected={frame}
          recording={share.outputOf('gz')}
          impossible={tiles.some((tile) => tile.format === format && tile.impossible !== undefined)}
          onOptions={setOptions}
          onPage={setPage}
        />
        <div className="flex shrink-0 flex-col gap-2 border-t border-line pt-2">
          <FrameFields {...{ log, chosen, hasHttp }} selected={frame} filter={filter ?? ''} onChosen={setChosen} />
          <p role="status" className="min-h-5">
            {reviewed && reviewSummary(reviewed, groups, decisions)}
          </p>
          {!reviewed && <FindingListRoom />}
          {groups.length > 0 && (
            <FindingList {...{ groups, decisions, view }} onView={setView} onDecide={setDecisions} onLook={look} />
          )}
          {reviewed && <UnlistedNote {...reviewed.findings} />}
          <MaskPatterns patterns={patterns} places={places} onPatterns={setPatterns} />
        </div>
      </div>
      <ShareActions {...{ share, format, output, groups }} />
    </Dialog>
  );
}

/** The work under way or what went wrong, and the button that saves or copies the output. */
function ShareActions({
  share: { work, failure, isCancelled, cancel, tryAgain },
  format,
  output,
  groups,
}: {
  readonly share: Share;
  readonly format: ShareFormat;
  readonly output: ShareOutput | undefined;
  readonly groups: readonly FindingGroup[];
}) {
  const { feedback, copy } = useCopy();
  const [saved, setSaved] = useState<ShareOutput['made']>();
  const made = output?.made;
  // Shown beside the format.
  const isOfFormat = impossibleText(format, output, undefined) !== undefined || linkFault(output) !== undefined;
  const failed = failure ?? (isOfFormat ? undefined : output?.failure);
  const act = () => {
    if (!made) return;
    if (typeof made.content === 'string') {
      const { content } = made;
      void copy(() => content);
    } else {
      saveFile(made.content, made.name);
      setSaved(made);
    }
  };
  const done = feedback ?? (made && made === saved ? `Saved ${made.name}` : undefined);
  const doneText = made && done && `${done}. ${outcomeText(made.masked, groups)}`;
  return (
    <>
      {failed && (
        <div className="mt-2 shrink-0">
          <ErrorNote codeless failure={failed}>
            <Button size="small" onClick={tryAgain}>
              Try again
            </Button>
          </ErrorNote>
        </div>
      )}
      <div className="mt-3 flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
        {work && <WorkProgress what={work.what} done={work.done} of={work.of} onCancel={cancel} />}
        {isCancelled && (
          <p role="alert" className="flex flex-1 items-center gap-2">
            Cancelled
            <Button size="small" onClick={tryAgain}>
              Try again
            </Button>
          </p>
        )}
        {/* Makes room for the progress once that is shown. */}
        <p className="min-w-0 flex-1 basis-56 text-muted [div+&]:hidden [p+&]:hidden">
          <span role="status">{doneText}</span> We can’t detect every secret. Review before sharing.
        </p>
        <Button variant="primary" disabled={!made} onClick={act} className="narrow:w-full">
          {actionText(format, outputBytes(output))}
        </Button>
      </div>
    </>
  );
}

/** Says what could not be listed or checked, because there is too much. */
function UnlistedNote({ unlisted, unchecked }: Findings) {
  if (unlisted + unchecked === 0) return null;
  return (
    <p className="text-warn">
      {unlisted > 0 && `Default rules apply to ${countOf(unlisted, 'unlisted value')}. `}
      {unchecked > 0 && `Repeats of ${countOf(unchecked, 'value')} may stay. Share fewer frames.`}
    </p>
  );
}

/** Returns a file name: the connection's name and date. */
function fileName({ name, startedAt }: ConnectionSummary): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return [words || 'session', startedAt.slice(0, 10)].filter(Boolean).join('-');
}
