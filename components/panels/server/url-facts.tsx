import { FrameLink } from '@/components/exchange/frame-link';
import { CopyButton } from '@/components/ui/copy-button';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { StartEvent } from '@/lib/store/state';
import { MASK } from '@/lib/wire/http-frame';
import { Fact, FactList } from './fact';
import { Names } from './names';

const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ['http', 'Streamable HTTP'],
  ['sse', 'HTTP+SSE'],
]);

/** Where a server at a URL is, how it is spoken to, and what became of that. */
export function UrlFacts({
  log,
  start,
}: {
  readonly log: Log;
  readonly start: Exclude<StartEvent, { transport: 'stdio' }>;
}) {
  const { state, failure, transport, era } = useLogState(log, (all) => all.connection);
  const { sessionSeq, version } = useLogState(log, (all) => all.http);
  const found = transport === undefined ? 'not known yet' : (TRANSPORTS.get(transport) ?? transport);
  return (
    <FactList title="HTTP">
      <Fact name="state">{state}</Fact>
      <Fact name="transport">
        {found}
        {start.transport === 'auto' && transport !== undefined && ', found by asking'}
      </Fact>
      <Fact name="URL">
        <code className="font-mono text-wire">{visibleText(start.url)}</code>{' '}
        <CopyButton text={() => start.url} label="Copy" />
      </Fact>
      <Fact name="session">
        {sessionSeq !== undefined && (
          <>
            <code className="font-mono text-wire">{MASK}</code> <FrameLink seq={sessionSeq} label="given in" />
          </>
        )}
        {sessionSeq === undefined && era !== undefined && transport === 'http' && 'none'}
      </Fact>
      <Fact name="version header">
        {version !== undefined && (
          <code className="font-mono text-wire">MCP-Protocol-Version: {visibleText(version)}</code>
        )}
      </Fact>
      <Fact name="failure">{failure && `${visibleText(failure.message)} ${visibleText(failure.advice)}`}</Fact>
      <Fact name="started">
        <time dateTime={start.at}>{visibleText(start.at)}</time>
      </Fact>
      <Fact name="headers added">{start.headerNames.length > 0 ? <Names names={start.headerNames} /> : 'nothing'}</Fact>
    </FactList>
  );
}
