import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Select, TextInput } from '@/components/ui/inputs';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { visibleText } from '@/components/ui/visible-text';
import type { RecordingsTabProps } from '@/features/page-feature';
import { checksText, type Source } from '@/features/team/lib/summary/questions/question';
import type { TeamReport } from '@/features/team/lib/summary/questions/report';
import type { ReportRequest } from '@/features/team/lib/summary/report-api';
import { useEnvironment } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useRecordings } from '@/lib/hooks/recordings';
import { countOf, formatCount, formatDate } from '@/lib/wire/format';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { AnswerTable } from './answer-table';
import { useAskBucket } from './use-bucket';
import { useReport } from './use-report';

const DAYS = [
  { value: '0', label: 'All time' },
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
];
const PLACES = [
  { value: 'machine', label: 'This machine' },
  { value: 'bucket', label: 'Bucket' },
];

/** Answers to questions over many recordings. Each row opens the recordings that it rests on. */
export function ReportView({ onOpened }: RecordingsTabProps) {
  const hasBucket = useEnvironment().environment?.tabs?.includes('bucket') === true;
  const [days, setDays] = useState('0');
  const [place, setPlace] = useState('machine');
  const [sides, setSides] = useState('');
  const bucket = hasBucket && place === 'bucket';
  const { reply, failure, again } = useReport({ bucket, days: Number(days), ...compareOf(sides) });
  const [trouble, setTrouble] = useState<Failure>();
  const open = useOpenSource(bucket, onOpened, setTrouble);
  const shown = trouble ?? failure;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto *:shrink-0">
      <form onSubmit={(event) => event.preventDefault()} className="flex flex-wrap items-end gap-2">
        {hasBucket && <Select label="Recordings of" value={place} onChange={setPlace} options={PLACES} />}
        <Select label="Recorded" value={days} onChange={setDays} options={DAYS} />
        <TextInput
          label="Compare two commits, versions or tags"
          placeholder="1.2.0..1.3.0"
          value={sides}
          onChange={setSides}
          maxLength={400}
          aria-invalid={sides !== '' && compareOf(sides).compare === undefined}
          className="w-64! max-w-full"
        />
        <Button onClick={again} title="Look for new recordings">
          Refresh
        </Button>
      </form>
      {shown && <ErrorNote codeless failure={shown} />}
      {!reply && !failure && <Spinner label="Loading the report" />}
      {reply && 'progress' in reply && <ReadingProgress {...reply.progress} />}
      {reply && 'report' in reply && (
        <>
          {reply.report.recordings === 0 ? (
            <NoRecordings days={days} notes={reply.notes} />
          ) : (
            <>
              <Notes notes={reply.notes} />
              <Answers report={reply.report} onOpen={open} />
            </>
          )}
        </>
      )}
    </div>
  );
}

function ReadingProgress({ done, of }: { readonly done: number; readonly of: number }) {
  const figures = of === 0 ? undefined : `${formatCount(done)} of ${formatCount(of)}`;
  return <WorkProgress what="Reading recordings" done={done} of={of} figures={figures} />;
}

/** Sentences about recordings that the report leaves out. */
function Notes({ notes }: { readonly notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} className="text-small text-muted break-words">
      {visibleText(note)}
    </p>
  ));
}

function NoRecordings({ days, notes }: { readonly days: string; readonly notes: readonly string[] }) {
  return (
    <EmptyState title={days === '0' ? 'No finished recordings yet' : 'No recordings in this time'}>
      {notes.length > 0 ? (
        <Notes notes={notes} />
      ) : days === '0' ? (
        'Connect to a server, or tap a host, to record it'
      ) : (
        'Choose a longer time above'
      )}
    </EmptyState>
  );
}

function Answers({ report, onOpen }: { readonly report: TeamReport; readonly onOpen: (source: Source) => void }) {
  const { recordings, servers, requests, from, to } = report;
  const span = from === '' ? '' : `, ${formatDate(from)} to ${formatDate(to)}`;
  return (
    <>
      <p className="text-muted">
        {countOf(recordings, 'recording')} of {countOf(servers, 'server')}, {countOf(requests, 'request')}
        {span}
        {checksText(report)}
      </p>
      <div className="flex min-w-0 flex-col gap-6">
        {report.answers.map((answer) => (
          <AnswerTable key={answer.id} answer={answer} onOpen={onOpen} />
        ))}
      </div>
      <p className="pt-2 pb-2 text-small text-muted">
        <code>mcp-inspect report --out report.html</code> writes these tables to a file
      </p>
    </>
  );
}

/** Reads `A..B`; nothing until both sides are there. */
function compareOf(text: string): Pick<ReportRequest, 'compare'> {
  const at = text.indexOf('..');
  const [before, after] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 2).trim()];
  return at > 0 && before !== '' && after !== '' ? { compare: [before, after] } : {};
}

/** Returns what opens a recording at the frame that a row is about. */
function useOpenSource(
  bucket: boolean,
  onOpened: RecordingsTabProps['onOpened'],
  onFailure: (failure?: Failure) => void,
) {
  const recordings = useRecordings();
  const ask = useAskBucket();
  const { navigate } = useLocation();
  return async ({ place, frame }: Source): Promise<void> => {
    onFailure(undefined);
    try {
      const connection = bucket
        ? (await ask({ kind: 'open', key: place, whole: false })).connection
        : await recordings.open(place);
      onOpened(connection);
      if (frame !== undefined) navigate({ frame }, { replace: true });
    } catch (error) {
      if (isFailure(error)) onFailure(error);
    }
  };
}
