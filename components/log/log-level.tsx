import { type ReactNode, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Select } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { levelIn, STDERR, withLevel } from '@/lib/filter/saved-filters';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { type Log, lastExchange } from '@/lib/store/log';
import { declares } from '@/lib/wire/declares';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { LOG_LEVELS, type LogLevel, METHOD } from '@/lib/wire/protocol-names';

/** No level was asked for, or all levels are shown. */
const NONE = 'none';

const LEVELS = LOG_LEVELS.map((level) => ({ value: level, label: `${level} and above` }));

/**
 * The line above server logs: the level that the server is asked for, by `logging/setLevel` or with each request of a
 * modern session (2026-07-28), and the level from which messages are shown, which is a term of the filter.
 */
export function LogLevelBar({
  log,
  filter,
  onFilter,
  children,
}: {
  readonly log: Log;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly children?: ReactNode;
}) {
  const least = LOG_LEVELS.find((level) => level === levelIn(filter)) ?? NONE;
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-3 py-0.5">
      <AskedLevel log={log} />
      <LevelSelect
        label="Show"
        value={least}
        onChange={(level) => onFilter(withLevel(filter, level === NONE ? undefined : level))}
        options={[{ value: NONE, label: 'all levels' }, ...LEVELS.slice(1)]}
      />
      <StderrLink log={log} />
      {children}
    </div>
  );
}

/** Says how many lines are on stderr, which is a view of its own, and leads to them. Nothing without such lines. */
function StderrLink({ log }: { readonly log: Log }) {
  const count = useLogState(log, ({ stderr }) => stderr.count);
  const { navigate } = useLocation();
  if (count === 0) return null;
  return (
    <span className="text-muted">
      stderr is not shown here:{' '}
      <button type="button" className="text-link" onClick={() => navigate({ filter: STDERR })}>
        {countOf(count, 'line')}
      </button>
    </span>
  );
}

function AskedLevel({ log }: { readonly log: Log }) {
  const client = useClient();
  const { era, logLevel } = useLogState(log, ({ connection }) => connection);
  const declared = useLogState(log, ({ server }) => declares(server.capabilities, ['logging']));
  const set = useLogState(log, () => lastExchange(log, METHOD.setLevel));
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const [failure, setFailure] = useState<Failure>();
  const modern = era === 'modern';
  const asked = LOG_LEVELS.find((level) => level === (modern ? logLevel : set?.name)) ?? NONE;
  if (readOnly && asked === NONE) return null;
  const change = (level: LogLevel | typeof NONE) => {
    setFailure(undefined);
    client
      .send({ type: 'log-level', connection: log.connection, level: level === NONE ? null : level })
      .catch(setFailure);
  };
  return (
    <>
      <LevelSelect
        label="Log level"
        title={hint(modern, declared, closed)}
        disabled={closed !== undefined || readOnly || (!declared && !modern)}
        value={asked}
        onChange={change}
        options={[
          { value: NONE, label: modern ? 'no messages' : 'server default', disabled: !modern && asked !== NONE },
          ...LEVELS,
        ]}
      />
      {modern && asked === NONE && !readOnly && (
        <span className="text-muted">In this MCP version a server logs only for requests that ask for it</span>
      )}
      {!declared && !readOnly && <span className="text-muted">The server declares no logging</span>}
      {!modern && set?.status === 'error' && <FrameLink seq={set.responseSeq!} label="The server refused" />}
      {failure && <ErrorNote failure={failure} />}
    </>
  );
}

/** A choice of a level, with its name before it. */
function LevelSelect({
  label,
  ...choice
}: {
  readonly label: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly value: LogLevel | typeof NONE;
  readonly onChange: (level: LogLevel | typeof NONE) => void;
  readonly options: readonly {
    readonly value: LogLevel | typeof NONE;
    readonly label: string;
    readonly disabled?: boolean;
  }[];
}) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="shrink-0 text-muted">{label}</span>
      <Select className="w-auto! max-w-full" aria-label={label} {...choice} />
    </span>
  );
}

function hint(modern: boolean, declared: boolean, closed: string | undefined): string {
  if (closed !== undefined) return closed;
  if (modern) return 'Each request from now on asks for these messages, in its _meta';
  return declared ? 'Sends logging/setLevel' : 'The server declares no logging';
}
