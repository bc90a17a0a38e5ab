import { useEffect, useMemo, useRef, useState } from 'react';
import { ErrorResponseView } from '@/components/exchange/error-response';
import { FrameLink } from '@/components/exchange/frame-link';
import type { BrowseGroup } from '@/components/panels/shared/browse-group';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import type { BrowseEntries } from '@/features/page-feature';
import { declaresSkills, listedSkills, type SkillList } from '@/features/skills/lib/listed-skills';
import { useClient } from '@/lib/hooks/client';
import { useRequestTimeout } from '@/lib/hooks/client-profile';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { LIST_SKILLS } from '@/lib/store/resource-history';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';

const SkillDetail = lazyWhenIdle(() => import('./skill-detail').then((file) => file.SkillDetail));

/** The server's skills: directories of files with digests. Files are read only when a person asks. */
export const skillEntries: BrowseEntries = { panel: 'skills', useGroup: useSkillGroup };

function useSkillGroup(log: Log, item: string | undefined): BrowseGroup {
  const histories = useResourceHistories(log);
  const version = histories.catchUp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the histories
  const list = useMemo(() => listedSkills(log, histories.skillLists), [log, histories, version]);
  const requests = useSkillRequests(log, list);
  const items = useMemo(
    () =>
      list.skills.map(({ key, skill }) => ({
        key,
        name: skill.name || skill.uri || '(no name)',
        detail: skill.description,
        problem: skill.problems[0],
        searchText: skill.uri,
      })),
    [list],
  );
  const selected = list.skills.find(({ key }) => key === item) ?? (item === undefined ? list.skills[0] : undefined);
  return {
    panel: 'skills',
    title: 'Skills',
    items,
    selected: selected?.key,
    isSettled: true,
    note: undefined,
    draw: () => (
      <>
        <ListBar {...{ log, list, requests }} />
        {selected && <SkillDetail key={selected.key} log={log} listed={selected.skill} />}
        {!selected && items.length > 0 && (
          <EmptyState title="This server doesn’t list that skill">Choose one from the list</EmptyState>
        )}
      </>
    ),
  };
}

interface SkillRequests {
  /** Requests the list, or its further page at a cursor. */
  readonly request: (cursor?: unknown) => void;
  /** Why the server can't be asked. */
  readonly closed: string | undefined;
  readonly readOnly: boolean;
  /** Why the last request was not sent. */
  readonly failure: Failure | undefined;
}

/** Returns how to request the list of skills, and requests it once if the server declares skills. */
function useSkillRequests(log: Log, { newest }: SkillList): SkillRequests {
  const client = useClient();
  const declared = useLogState(log, declaresSkills);
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const timeoutMs = useRequestTimeout(log);
  const [failure, setFailure] = useState<Failure>();
  const request = (cursor?: unknown) => {
    setFailure(undefined);
    const params = JSON.stringify({ cursor });
    client
      .send({ type: 'request', connection: log.connection, method: LIST_SKILLS, params, timeoutMs })
      .catch((error: Failure) => setFailure(error));
  };
  const isDue = declared && newest === undefined && closed === undefined && !readOnly;
  const first = useRef(request);
  first.current = request;
  useEffect(() => {
    if (isDue) first.current();
  }, [isDue]);
  return { request, closed, readOnly, failure };
}

/** Requests the list again and its further pages, and says why it is empty. */
function ListBar({
  log,
  list: { skills, next, newest },
  requests: { request, closed, readOnly, failure },
}: {
  readonly log: Log;
  readonly list: SkillList;
  readonly requests: SkillRequests;
}) {
  const isPending = newest?.status === 'pending';
  const seq = newest?.responseSeq;
  const error = seq === undefined ? undefined : messageSource(log, seq, newest?.id)?.member('error');
  const buttons = !readOnly && (
    <>
      <Button disabled={closed !== undefined || isPending} title={closed} onClick={() => request()}>
        List again
      </Button>
      {next !== undefined && (
        <Button disabled={closed !== undefined || isPending} title={closed} onClick={() => request(next)}>
          List more
        </Button>
      )}
      {isPending && <Spinner label="Listing skills" />}
    </>
  );
  const problems = (
    <>
      {failure && <ErrorNote failure={failure} />}
      {error && <ErrorResponseView error={error} />}
    </>
  );
  if (skills.length > 0) {
    return (
      <div className="flex shrink-0 flex-col gap-1 p-2">
        <div className="flex flex-wrap items-center gap-2">
          {buttons}
          <span className="text-small text-muted">
            {countOf(skills.length, 'skill')}
            {seq !== undefined && (
              <>
                {' '}
                in <FrameLink seq={seq} label="response" short />
              </>
            )}
          </span>
        </div>
        {problems}
      </div>
    );
  }
  return (
    <EmptyState title={emptyTitle(newest, readOnly)}>
      <div className="flex flex-col items-center gap-2">
        <div className="flex gap-2">{buttons}</div>
        {problems}
      </div>
    </EmptyState>
  );
}

function emptyTitle(newest: SkillList['newest'], readOnly: boolean): string {
  if (!newest && readOnly) return 'Skills were not listed in this log';
  if (!newest || newest.status === 'pending') return 'Loading skills…';
  return newest.status === 'ok' ? 'This server lists no skills' : 'The list of skills failed';
}
