import { useMemo, useState } from 'react';
import { ErrorResponse } from '@/components/exchange/error-response';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { useClient } from '@/lib/hooks/client';
import { useRequestTimeout } from '@/lib/hooks/client-profile';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { LIST_SKILLS } from '@/lib/store/resource-history';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { Catalogue } from '../shared/catalogue';
import { listedSkills, type SkillList } from './listed-skills';
import { SkillDetail } from './skill-detail';

/** The server's skills: directories of files with digests. Files are read only when a person asks. */
export function SkillsPanel({ log }: { readonly log: Log }) {
  const histories = useResourceHistories(log);
  const version = histories.catchUp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the histories
  const list = useMemo(() => listedSkills(log, histories.skillLists), [log, histories, version]);
  const { item } = useLocation();
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
  const bar = <ListBar log={log} list={list} />;
  if (items.length === 0) return bar;
  const selected = list.skills.find(({ key }) => key === item) ?? (item === undefined ? list.skills[0] : undefined);
  return (
    <Catalogue log={log} what="skills" items={items} selected={selected?.key} note={bar}>
      {selected ? (
        <SkillDetail key={selected.key} log={log} listed={selected.skill} />
      ) : (
        <EmptyState title="This server doesn’t list that skill">Choose one from the list</EmptyState>
      )}
    </Catalogue>
  );
}

/** Requests the list and its further pages, and says why it is empty. */
function ListBar({ log, list: { skills, next, newest } }: { readonly log: Log; readonly list: SkillList }) {
  const client = useClient();
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
  const isPending = newest?.status === 'pending';
  const seq = newest?.responseSeq;
  const error = seq === undefined ? undefined : messageSource(log, seq, newest?.id)?.member('error');
  const buttons = !readOnly && (
    <>
      <Button
        variant={newest ? 'plain' : 'primary'}
        disabled={closed !== undefined || isPending}
        title={closed}
        onClick={() => request()}
      >
        {newest ? 'List again' : 'List skills'}
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
      {error && <ErrorResponse error={error} />}
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
        {!newest && !readOnly && <p>A list names files and digests. It reads no file.</p>}
        <div className="flex gap-2">{buttons}</div>
        {problems}
      </div>
    </EmptyState>
  );
}

function emptyTitle(newest: SkillList['newest'], readOnly: boolean): string {
  if (!newest) return readOnly ? 'Skills were not listed in this log' : 'Skills are not listed yet';
  if (newest.status === 'pending') return 'Waiting for the list of skills';
  return newest.status === 'ok' ? 'This server lists no skills' : 'The list of skills failed';
}
