import { useState } from 'react';
import { CopyButton, Segmented } from '@/components/ui/button';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { StartEvent } from '@/lib/store/state/state';

const LANGUAGES = ['TypeScript', 'Python'] as const;
type Language = (typeof LANGUAGES)[number];

interface Step {
  readonly title: string;
  readonly code: string;
}

/** How to make a server send OpenTelemetry. The same as in docs/otel.md. */
const STEPS: Readonly<Record<Language, readonly Step[]>> = {
  TypeScript: [
    { title: 'Install', code: 'npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node' },
    {
      title: 'Start the server with it',
      code: 'node --import @opentelemetry/auto-instrumentations-node/register server.js',
    },
    {
      title: 'Put spans below their call, in a tool',
      code: `import { context, propagation } from '@opentelemetry/api';

server.registerTool('search', { … }, (input, { _meta }) =>
  context.with(propagation.extract(context.active(), _meta ?? {}), () => search(input)));`,
    },
  ],
  Python: [
    {
      title: 'Install',
      code: `pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http
opentelemetry-bootstrap -a install`,
    },
    { title: 'Start the server with it', code: 'opentelemetry-instrument python server.py' },
    {
      title: 'Put spans below their call, in a tool',
      code: `from opentelemetry import context
from opentelemetry.propagate import extract

meta = ctx.request_context.meta
token = context.attach(extract(meta.model_extra if meta else {}))
try:
    return search(query)
finally:
    context.detach(token)`,
    },
  ],
};

/** Says how to get telemetry from this server. */
export function Recipe({ log }: { readonly log: Log }) {
  const [language, setLanguage] = useState<Language>('TypeScript');
  const start = useLogState(log, ({ connection }) => connection.start);
  return (
    <div className="min-h-0 flex-1 overflow-auto p-3">
      <div className="flex max-w-[80ch] flex-col gap-3">
        <h2 className="text-title font-medium">No telemetry yet</h2>
        <p>
          A server with OpenTelemetry shows here which part of a call was slow: its spans appear below each call, with
          its log records and metrics.
        </p>
        <p className="text-muted">{receiverText(start)}</p>
        <div className="flex items-center gap-2">
          <h3 className="flex-1 font-medium">Add it to a server</h3>
          <Segmented label="Language" names={LANGUAGES} chosen={language} onChoose={setLanguage} />
        </div>
        <ol className="flex flex-col gap-3">
          {STEPS[language].map(({ title, code }) => (
            <li key={title} className="min-w-0">
              <div className="flex items-center">
                <h4 className="flex-1 text-muted">{title}</h4>
                <CopyButton text={() => code} label="Copy" name={`Copy: ${title}`} />
              </div>
              <pre className="overflow-x-auto rounded border border-line bg-surface px-3 py-2 font-mono text-wire">
                {code}
              </pre>
            </li>
          ))}
        </ol>
        <p className="text-muted">
          Without the last step, a span appears below a call only if no other call was in flight. It is then marked{' '}
          <em>by time</em>.
        </p>
      </div>
    </div>
  );
}

/** Says whether this server's telemetry can arrive. */
function receiverText(start: StartEvent | undefined): string {
  if (!start || start.transport !== 'stdio') {
    return 'mcp-inspect receives telemetry of servers that it starts. This one is at a URL.';
  }
  const names = start.environment.telemetry;
  return names
    ? `mcp-inspect receives it for this server: it has set ${names.join(', ')}.`
    : 'mcp-inspect does not receive it for this server: it is off, or the server’s environment sends it elsewhere.';
}
