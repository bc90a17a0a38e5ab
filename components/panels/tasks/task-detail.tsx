import { useState } from 'react';
import { InlineQuestion } from '@/components/answers/inline-question';
import { Elapsed } from '@/components/exchange/elapsed';
import { ErrorResponseView } from '@/components/exchange/error-response';
import { FrameLink } from '@/components/exchange/frame-link';
import { OtherMembers } from '@/components/exchange/result-region';
import { TaskTimes, TaskWord } from '@/components/exchange/task-status';
import { Button } from '@/components/ui/button';
import { ErrorNote, TextNotLoaded } from '@/components/ui/notices';
import { ContentBlock } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { WireName } from '@/components/untrusted/wire-name';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import { useLogClock } from '@/lib/hooks/log-clock';
import { useLogTimes } from '@/lib/hooks/times';
import type { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { isTaskRunning, type Task } from '@/lib/store/state/tasks';
import type { Failure } from '@/lib/wire/lifecycle';
import { isTaskOver } from '@/lib/wire/task';

/** One task: what the server says about it, what can be asked, and its result. */
export function TaskDetail({ log, task }: { readonly log: Log; readonly task: Task }) {
  const times = useLogTimes(log);
  const now = useLogClock(log);
  const running = isTaskRunning(task) && log === log.whole;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <h2 className="min-w-0 font-medium break-words">
        <WireName text={task.tool ?? task.taskId} limit={300} />
      </h2>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <TaskWord task={task} />
        {task.statusMessage !== undefined && <UntrustedText text={task.statusMessage} limit={300} />}
      </div>
      {task.left !== undefined && (
        <p className="text-warn">
          ! mcp-inspect follows it no longer: <UntrustedText text={task.left} limit={300} />
        </p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 [&>dt]:text-muted">
        <dt>taskId</dt>
        <dd className="font-mono text-wire break-all">
          <UntrustedText text={task.taskId} limit={300} />
        </dd>
        <dt>started</dt>
        <dd className="tabular">
          {times.shown(task.firstAt)} in{' '}
          <FrameLink seq={task.call ?? task.firstSeq} label={task.call === undefined ? 'report' : 'call'} />
          {running && (
            <>
              , <Elapsed since={task.firstAt} now={now} /> ago
            </>
          )}
        </dd>
        <dt>newest report</dt>
        <dd className="tabular">
          {times.shown(task.at)} in <FrameLink seq={task.seq} label="frame" />
        </dd>
        <dt>time to live</dt>
        <dd className="tabular flex flex-wrap gap-x-3">
          <TaskTimes log={log} task={task} />
        </dd>
      </dl>
      <TaskActions log={log} task={task} />
      {task.call !== undefined && <InlineQuestion log={log} call={task.call} />}
      <TaskResult log={log} task={task} />
    </div>
  );
}

/** Asks the server about a task, even one of another client. */
function TaskActions({ log, task }: { readonly log: Log; readonly task: Task }) {
  const client = useClient();
  const readOnly = useReadOnly(log);
  const closed = useClosedReason(log);
  const modern = useLogState(log, ({ connection }) => connection.era === 'modern');
  const [failure, setFailure] = useState<Failure>();
  if (readOnly) return <ShowCall task={task} />;
  const { connection } = log;
  const send = (command: CommandBody) => {
    setFailure(undefined);
    client.send(command).catch(setFailure);
  };
  const ask = (method: string) =>
    send({ type: 'request', connection, method, params: JSON.stringify({ taskId: task.taskId }) });
  const cancel = () => {
    const call = task.call === undefined ? undefined : log.exchange(task.call);
    // The connection follows the tasks of its own calls.
    if (call?.status === 'pending' && call.id != null) send({ type: 'cancel', connection, id: call.id });
    else ask('tasks/cancel');
  };
  const disabled = closed !== undefined;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => ask('tasks/get')} disabled={disabled} title={closed ?? 'Sends tasks/get'}>
          Get status
        </Button>
        {!modern && (
          <Button onClick={() => ask('tasks/result')} disabled={disabled} title={closed ?? 'Sends tasks/result'}>
            Get result
          </Button>
        )}
        {!isTaskOver(task.status) && (
          <Button onClick={cancel} disabled={disabled} title={closed ?? 'Sends tasks/cancel'}>
            Cancel task
          </Button>
        )}
        <ShowCall task={task} />
      </div>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}

function ShowCall({ task: { tool } }: { readonly task: Task }) {
  if (tool === undefined) return null;
  return (
    <div>
      <Button variant="ghost" onClick={() => navigate({ panel: 'tools', item: tool })}>
        Show the tool
      </Button>
    </div>
  );
}

const NONE: readonly number[] = [];

/** The result or error of a task, once the log has it. */
function TaskResult({ log, task: { result, status } }: { readonly log: Log; readonly task: Task }) {
  const bytes = useFrameBytes(log, result === undefined ? NONE : [result.seq]);
  if (!result) return isTaskOver(status) ? <p className="text-muted">Its result is not in the log</p> : null;
  const message = messageSource(log, result.seq);
  const holder = result.inline ? (message?.member('result') ?? message?.member('params')) : message;
  const [value, error] = [holder?.member('result'), holder?.member('error')];
  return (
    <section aria-label="Result of the task" className="min-w-0 border-t border-line pt-2">
      <h3 className="mb-1 font-medium">
        Result <FrameLink seq={result.seq} label="frame" short />
      </h3>
      {bytes !== 'here' && <TextNotLoaded gone={bytes === 'gone'} />}
      <RenderGuard key={result.seq} fallback={<p className="text-warn">! Nested too deeply to display</p>}>
        {result.status === 'tool-error' && <p className="text-error">× The tool reported an error (isError)</p>}
        {error ? <ErrorResponseView error={error} /> : value && <ResultContent result={value} />}
      </RenderGuard>
    </section>
  );
}

const SHOWN = ['content', 'isError', 'resultType'];
/** Content blocks shown; the frame has the rest. */
const MOST_BLOCKS = 50;

function ResultContent({ result }: { readonly result: JsonSource }) {
  const content = result.kind === 'object' ? result.member('content') : undefined;
  if (content?.kind !== 'array') return <JsonTree json={result} />;
  return (
    <>
      {content.children(MOST_BLOCKS).children.map(({ source }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <ContentBlock key={index} block={source} />
      ))}
      <OtherMembers result={result} shown={SHOWN} />
    </>
  );
}
