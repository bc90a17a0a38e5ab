import { useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Select } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import { type Log, lastExchange } from '@/lib/store/log';
import { declares } from '@/lib/wire/declares';
import type { Failure } from '@/lib/wire/lifecycle';
import { LOG_LEVELS, type LogLevel, METHOD } from '@/lib/wire/protocol-names';

/** No level was asked for. */
const NONE = 'none';

/**
 * The level of log messages that the server is asked for: by `logging/setLevel`, or with each request of a modern
 * session (2026-07-28).
 */
export function AskedLevel({ log }: { readonly log: Log }) {
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
      <span className="flex min-w-0 items-center gap-2">
        <span className="shrink-0 text-muted">Log level</span>
        <Select
          className="w-auto! max-w-full"
          aria-label="Log level"
          title={hint(modern, declared, closed)}
          disabled={closed !== undefined || readOnly || (!declared && !modern)}
          value={asked}
          onChange={change}
          options={[
            { value: NONE, label: modern ? 'no messages' : 'server default', disabled: !modern && asked !== NONE },
            ...LOG_LEVELS.map((level) => ({ value: level, label: `${level} and above` })),
          ]}
        />
      </span>
      {!declared && !readOnly && <span className="text-muted">The server declares no logging</span>}
      {!modern && set?.status === 'error' && <FrameLink seq={set.responseSeq!} label="The server refused" />}
      {failure && <ErrorNote failure={failure} />}
    </>
  );
}

function hint(modern: boolean, declared: boolean, closed: string | undefined): string {
  if (closed !== undefined) return closed;
  if (modern) return 'Each request from now on asks for these messages, in its _meta';
  return declared ? 'Sends logging/setLevel' : 'The server declares no logging';
}
