import { quote } from 'shlex';
import { exitWords } from '@/components/log/lifecycle-words';
import { CopyButton } from '@/components/ui/copy-button';
import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { Fact, FactList } from './fact';
import { Names } from './names';
import { UrlFacts } from './url-facts';

/** What was started, and what became of it. */
export function ProcessFacts({ log }: { readonly log: Log }) {
  const { start, pid, state, exit, failure } = useLogState(log, (all) => all.connection);
  if (!start) return <p className="text-muted">The server has not been started yet.</p>;
  if (start.transport !== 'stdio') return <UrlFacts log={log} start={start} />;
  const line = [start.command, ...start.args].map(quote).join(' ');
  const { inherited, added, policy } = start.environment;
  return (
    <FactList title="Process">
      <Fact name="state">{state}</Fact>
      <Fact name="transport">{start.transport}</Fact>
      <Fact name="command">
        <code className="font-mono text-wire">{visibleText(line)}</code> <CopyButton text={() => line} label="Copy" />
      </Fact>
      <Fact name="cwd">
        <code className="font-mono text-wire">{visibleText(start.cwd)}</code>
      </Fact>
      <Fact name="pid">{pid}</Fact>
      <Fact name="exit">{exit && `exited ${exitWords(exit)}`}</Fact>
      <Fact name="failure">{failure && `${visibleText(failure.message)} ${visibleText(failure.advice)}`}</Fact>
      <Fact name="started">
        <time dateTime={start.at}>{visibleText(start.at)}</time>
      </Fact>
      <Fact name="env added">{added.length > 0 ? <Names names={added} /> : 'nothing'}</Fact>
      <Fact name="env inherited">
        <details>
          <summary>
            {formatCount(inherited.length)} names,{' '}
            {policy === 'shell' ? "all of the shell's" : 'only those on the allowlist'}
          </summary>
          <Names names={inherited} />
        </details>
      </Fact>
    </FactList>
  );
}
