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

/** How to make a server send OpenTelemetry, as in docs/otel.md. */
const STEPS: Readonly<Record<Language, readonly Step[]>> = {
  TypeScript: [
    { title: 'Install', code: 'npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node' },
    {
      title: 'Start the server with it',
      code: 'export OTEL_NODE_RESOURCE_DETECTORS=env,host,os,process\nmcp-inspect node --import @opentelemetry/auto-instrumentations-node/register server.js',
    },
    {
      title: 'Put the spans of a tool below its call',
      code: `import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('my-server');

const traced = (name, handler) => (...args) =>
  context.with(propagation.extract(context.active(), args.at(-1)?._meta ?? {}), () =>
    tracer.startActiveSpan(name, async (span) => {
      try {
        return await handler(...args);
      } catch (error) {
        span.recordException(error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    }),
  );

server.registerTool('add', { inputSchema }, traced('tools/call add', async ({ a, b }) => …));`,
    },
  ],
  Python: [
    {
      title: 'Install',
      code: `pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http
opentelemetry-bootstrap -a install`,
    },
    { title: 'Start the server with it', code: 'mcp-inspect opentelemetry-instrument python server.py' },
    {
      title: 'Put the spans of a tool below its call',
      code: `from opentelemetry import propagate, trace

tracer = trace.get_tracer("my-server")

@mcp.tool()
async def add(a: int, b: int, ctx: Context) -> int:
    meta = ctx.request_context.meta
    carrier = meta.model_dump(exclude_none=True) if meta else {}
    with tracer.start_as_current_span("tools/call add", context=propagate.extract(carrier)):
        return a + b`,
    },
  ],
};

/** How a server that somebody else starts sends it here. */
const AT_URL = `export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318/otel/a-token-of-yours OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_SERVICE_NAME=my-server OTEL_BSP_SCHEDULE_DELAY=500 OTEL_BLRP_SCHEDULE_DELAY=500
mcp-inspect --otel receive=http://127.0.0.1:4318/otel/a-token-of-yours http://127.0.0.1:3000/mcp`;

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
        {start && start.transport !== 'stdio' && <Code title="Choose an address for both" code={AT_URL} />}
        <div className="flex items-center gap-2">
          <h3 className="flex-1 font-medium">Add it to a server</h3>
          <Segmented label="Language" names={LANGUAGES} chosen={language} onChoose={setLanguage} />
        </div>
        <ol className="flex flex-col gap-3">
          {STEPS[language].map(({ title, code }) => (
            <li key={title} className="min-w-0">
              <Code title={title} code={code} />
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

function Code({ title, code }: { readonly title: string; readonly code: string }) {
  return (
    <>
      <div className="flex items-center">
        <h4 className="flex-1 text-muted">{title}</h4>
        <CopyButton text={() => code} label="Copy" name={`Copy: ${title}`} />
      </div>
      {/* A scrolled region must be reachable by keyboard. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="overflow-x-auto rounded border border-line bg-surface px-3 py-2 font-mono text-wire"
      >
        {code}
      </pre>
    </>
  );
}

/** Says whether this server's telemetry can arrive. */
function receiverText(start: StartEvent | undefined): string {
  if (start?.transport !== 'stdio') {
    return 'mcp-inspect did not start this server, so give both the address of the receiver.';
  }
  const names = start.environment.telemetry;
  return names
    ? `mcp-inspect receives it for this server: it has set ${names.join(', ')}.`
    : 'mcp-inspect does not receive it: it is off, or the server’s environment sends it elsewhere.';
}
