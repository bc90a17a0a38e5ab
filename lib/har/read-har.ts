import { eraOf } from '@/lib/mcp/versions';
import { encodeLine, type FrameToRecord } from '@/lib/recording/encode-line';
import { RECORDING_VERSION, type RecordingHeader } from '@/lib/recording/format';
import { FrameEncoder } from '@/lib/recording/frame-encoder';
import { RecordingError } from '@/lib/recording/read-header';
import { CAPTURE_POLICY, CaptureRedactor } from '@/lib/redact/capture-redactor';
import { maskedUrl } from '@/lib/transports/masked-url';
import { parseBounded } from '@/lib/wire/bounded-json';
import type { LifecycleEvent, ProtocolVersion } from '@/lib/wire/lifecycle';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import { exchangeSteps, type OnSecrets } from './exchange-steps';
import { type HarSession, harSession } from './har-session';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The MCP session in an HTTP Archive (JSON text), as the lines of a recording. Secrets of headers and URLs are masked as they are
 * while recording, and taken out wherever they are repeated. Throws {@link RecordingError} `not-a-har` and `har-without-mcp`.
 */
export function* readHar(text: string): Generator<Uint8Array> {
  const { entries, by } = logOf(text);
  const session = harSession(entries);
  if (!session) throw WITHOUT_MCP;
  const began = Math.floor(session.entries[0]!.began);
  const at = new Date(began).toISOString();
  const { transport } = session;
  const name = new URL(session.url).host;
  const header: RecordingHeader = {
    ...{
      mcpr: RECORDING_VERSION,
      id: `har-${began.toString(36).padStart(8, '0')}`,
      at,
      by,
      mode: 'import',
      name,
      transport,
    },
    redaction: { policy: CAPTURE_POLICY },
  };
  yield encodeLine(header);
  let n = 0;
  let newest = 0;
  const secrets: string[] = [];
  const frames = [...framesOf(session, name, at, (values) => secrets.push(...values))];
  // What is masked in one exchange may have been said in an earlier one.
  const redactor = new CaptureRedactor([]);
  redactor.learn(secrets);
  const encoder = new FrameEncoder();
  for (const frame of frames) {
    newest = Math.max(newest, frame.time);
    yield* encoder.lines(++n, { ...redactor.apply(frame), time: newest });
  }
  // An archive is whole as it is: nobody was cut off while writing these lines.
  yield encodeLine({ k: 'end', t: newest, frames: n });
}

function logOf(text: string): { entries: readonly unknown[]; by: string } {
  let har: unknown;
  try {
    har = parseBounded(text);
  } catch {
    throw NOT_HAR;
  }
  const log = isObject(har) ? own(har, 'log') : undefined;
  const entries = isObject(log) ? own(log, 'entries') : undefined;
  if (!isObject(log) || !Array.isArray(entries)) throw NOT_HAR;
  const creator = own(log, 'creator');
  const name = isObject(creator) ? own(creator, 'name') : undefined;
  return { entries, by: `${typeof name === 'string' ? name : 'somebody'} (HTTP Archive)` };
}

function* framesOf(session: HarSession, name: string, at: string, onSecrets: OnSecrets): Generator<FrameToRecord> {
  yield lifecycle(0, {
    event: 'start',
    at,
    name,
    transport: session.transport,
    url: maskedUrl(session.url),
    headerNames: [],
    protocol: 'auto',
  });
  const began = Math.floor(session.entries[0]!.began);
  const steps = session.entries.flatMap((entry, index) =>
    exchangeSteps(entry, index + 1, Math.min(entry.began - began, LIMITS.harMs) * 1000, session.transport, onSecrets),
  );
  const handshakes = session.entries.some(
    ({ sent, status }) => /"method"\s*:\s*"initialize"/.test(sent ?? '') && status < 300,
  );
  let version: ProtocolVersion | undefined;
  // Exchanges overlap: what each went through is put in the order of time.
  for (const step of steps.sort((a, b) => a.time - b.time)) {
    yield* step.frames;
    if (version) continue;
    version = versionIn(step.frames, handshakes);
    if (version) yield lifecycle(step.time, { event: 'open', era: eraOf(version), version });
  }
}

/** What these frames say was agreed on: the answer to `initialize`, or if there is none in the session, the first modern request. */
function versionIn(frames: readonly FrameToRecord[], handshakes: boolean): ProtocolVersion | undefined {
  const direction = handshakes ? 'to-client' : 'to-server';
  const message = frames.find((frame) => frame.channel === 'protocol' && frame.direction === direction);
  const found = message && (handshakes ? CHOSEN : CLAIMED).exec(decoder.decode(message.bytes));
  return PROTOCOL_VERSIONS.find((known) => known === found?.[1]);
}

const CHOSEN = /"protocolVersion"\s*:\s*"(\d{4}-\d\d-\d\d)"/;
const CLAIMED = /"io\.modelcontextprotocol\/protocolVersion"\s*:\s*"(\d{4}-\d\d-\d\d)"/;

function lifecycle(time: number, event: LifecycleEvent): FrameToRecord {
  return {
    time: Math.round(time),
    channel: 'lifecycle',
    direction: 'to-client',
    flags: 0,
    bytes: encoder.encode(JSON.stringify(event)),
  };
}

const NOT_HAR = new RecordingError(
  'not-a-har',
  'This is neither a recording nor an HTTP Archive.',
  'Choose a file that ends in `.mcpr.jsonl`, `.mcpr.gz` or `.har`.',
);
const WITHOUT_MCP = new RecordingError(
  'har-without-mcp',
  'There is no MCP in this HTTP Archive: no request of it posts a JSON-RPC message.',
  'Export the archive again, with content, from where the MCP client ran.',
);
