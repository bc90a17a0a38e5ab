import type { CheckFinding } from '@/features/check/lib/report';
import { isObject, own } from '@/lib/json/value';
import { specPage } from '@/lib/protocol/spec-pages';
import { declares } from '@/lib/wire/declares';
import { isFailure } from '@/lib/wire/lifecycle';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import type { ServerAnswer } from '@/proxy/commands/headless/server-connection';
import type { Session, SessionStep } from './check-session';
import { COMPLETION_STEP } from './entries';
import { memoryStep } from './memory';
import { codeText, requireMessage } from './step-connection';
import { findingsBy, type StepRule } from './step-finding';

/** Characters of the huge message: below the 4 MB that HTTP frameworks usually take. */
const HUGE_CHARS = 3_000_000;
/** Requests that are in flight together. */
const TOGETHER = 12;
/** A name that no server has. */
const NOBODY = 'mcp-inspect-check-no-such-name';

/** Steps that show whether a server survives bad input. None of them calls a tool that exists. */
export const SURVIVAL_STEPS: readonly SessionStep[] = [
  step(
    'ping',
    async (session, signal) =>
      pingFindings(session, await session.connection.request('ping', undefined, undefined, signal)),
    {
      skips: ({ negotiated }) => (negotiated.era === 'legacy' ? undefined : 'This version has no ping.'),
    },
  ),
  COMPLETION_STEP,
  step('unknown method', async (session, signal) => {
    const method = 'mcp-inspect/no-such-method';
    const answer = await session.connection.request(method, '{}', undefined, signal);
    const message = 'The server answered an unknown method with';
    const frames = session.frames.newestAnswer(method);
    if (answer.kind === 'result') return [finding(session, 'unknown-method-accepted', `${message} a result.`, frames)];
    const { code } = answer.error;
    if (code === RPC_CODE.methodNotFound) return [];
    return [finding(session, 'unknown-method-code', `${message} ${codeText(code)}, expected error −32601.`, frames)];
  }),
  step('bad parameters', badParams),
  step('a cursor that does not exist', unknownCursor, {
    skips: ({ paged }) => (paged.size > 0 ? undefined : 'No list has a second page.'),
  }),
  step('a tool, resource and prompt that do not exist', unknownNames),
  step('concurrent requests', concurrent),
  step('cancellation of a finished request', cancelFinished, {
    skips: ({ isStdio, negotiated }) =>
      isStdio || negotiated.era === 'legacy' ? undefined : 'Over HTTP, this version cancels by closing the stream.',
  }),
  step('huge message', hugeMessage, {
    advice: 'Take a message of 3 MB, or refuse it with an error, and keep running.',
  }),
  step('invalid JSON', invalidJson, {
    advice: 'A message ends with its line. Answer a line that is not JSON with error −32700, and read the next one.',
  }),
  memoryStep('memory over many requests', askAlive),
];

type Probe = (session: Session, signal: AbortSignal) => Promise<readonly CheckFinding[]>;

/** A step after which the server must still answer. */
function step(name: string, probe: Probe, more: Pick<SessionStep, 'skips' | 'advice'> = {}): SessionStep {
  return {
    name,
    ...more,
    run: async (session, signal) => {
      const found = await probe(session, signal);
      await askAlive(session, signal);
      return found;
    },
  };
}

/** Resolves when the server has answered something simple. */
export async function askAlive({ connection, negotiated }: Session, signal: AbortSignal): Promise<void> {
  const method = negotiated.era === 'legacy' ? 'ping' : 'server/discover';
  requireMessage(await connection.request(method, undefined, undefined, signal));
}

function pingFindings({ frames, negotiated }: Session, answer: ServerAnswer): readonly CheckFinding[] {
  if (answer.kind === 'result' && isObject(answer.result)) return [];
  const how = answer.kind === 'error' ? `error ${codeText(answer.error.code)}` : 'something other than an object';
  return [
    {
      rule: 'ping-failed',
      severity: 'error',
      title: 'Ping without a result',
      message: `The server answered ping with ${how}.`,
      path: undefined,
      frames: frames.newestAnswer('ping'),
      advice: 'Answer ping with an empty result.',
      spec: specPage('ping', negotiated.version).url,
    },
  ];
}

const RULES = {
  'unknown-method-accepted': ['error', 'Result for an unknown method', 'Answer with error −32601.', 'messages'],
  'unknown-method-code': ['warning', 'Wrong error for an unknown method', 'Answer with error −32601.', 'messages'],
  'bad-params-accepted': [
    'error',
    'Result for missing parameters',
    'Check parameters, and answer with error −32602 if a required one is missing.',
    'messages',
  ],
  'unknown-name-accepted': [
    'error',
    'Result for a name that does not exist',
    'Answer with an error, or with isError in the result of a tool.',
    'tools',
  ],
  'unknown-cursor-accepted': [
    'warning',
    'Result for a cursor that does not exist',
    'Answer with error −32602, so that clients notice a lost place.',
    'pagination',
  ],
  'answer-swapped': [
    'error',
    'Answer to another request',
    'Keep the state of each request apart. Here one request got what belongs to another.',
    'messages',
  ],
} as const satisfies Record<string, StepRule>;

/** Makes a finding of a step. */
export const finding = findingsBy(RULES);

/** True for a result that reports an error of a tool. */
function isRefusal(answer: ServerAnswer): boolean {
  return answer.kind === 'error' || (isObject(answer.result) && own(answer.result, 'isError') === true);
}

/** Methods with a required parameter, by the capability of their server. */
const NEEDY: readonly (readonly [method: string, capability: string, parameter: string])[] = [
  ['tools/call', 'tools', 'name'],
  ['resources/read', 'resources', 'uri'],
  ['prompts/get', 'prompts', 'name'],
];

function offered({ negotiated }: Session) {
  return NEEDY.filter(([, capability]) => declares(negotiated.capabilities, [capability]));
}

async function badParams(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  session.frames.pause();
  try {
    for (const [method, , parameter] of offered(session)) {
      const answer = await session.connection.request(method, '{}', undefined, signal);
      if (isRefusal(answer)) continue;
      const message = `The server answered ${method} without ${parameter} with a result.`;
      found.push(finding(session, 'bad-params-accepted', message, session.frames.newestAnswer(method)));
    }
  } finally {
    session.frames.resume();
  }
  return found;
}

async function unknownNames(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  for (const [method, , parameter] of offered(session)) {
    const params = parameter === 'uri' ? { uri: `${NOBODY}://x` } : { name: NOBODY, arguments: {} };
    const answer = await session.connection.request(method, JSON.stringify(params), undefined, signal);
    if (isRefusal(answer)) continue;
    const message = `The server answered ${method} for a ${parameter} that does not exist with a result.`;
    const accepted = finding(session, 'unknown-name-accepted', message, session.frames.newestAnswer(method));
    const { version } = session.negotiated;
    const more = parameter === 'uri' ? { ...OF_URI, spec: specPage('resources', version).url } : {};
    found.push({ ...accepted, ...(method === 'prompts/get' && { spec: specPage('prompts', version).url }), ...more });
  }
  return found;
}

/** Replaces parts of the finding for a URI: the specification only recommends an error. */
const OF_URI = {
  severity: 'warning',
  title: 'Result for a URI that does not exist',
  advice: 'Answer with error −32002, or −32602 since 2026-07-28. Otherwise it looks like an empty resource.',
} as const;

async function unknownCursor(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  for (const method of session.paged) {
    const answer = await session.connection.request(method, JSON.stringify({ cursor: NOBODY }), undefined, signal);
    if (answer.kind === 'result')
      found.push(
        finding(
          session,
          'unknown-cursor-accepted',
          `The server answered ${method} with a cursor that nobody sent.`,
          session.frames.newestAnswer(method),
        ),
      );
  }
  return found;
}

/** Sends lists and reads of different URIs together. Each answer must be about its own URI. */
async function concurrent(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const { connection, listed } = session;
  const known = (listed.resources ?? []).map((entry) => own(entry, 'uri')).filter((uri) => typeof uri === 'string');
  const canRead = offered(session).some(([method]) => method === 'resources/read');
  const uris = canRead ? [...new Set([...known.slice(0, 4), ...canaries()])].slice(0, TOGETHER) : [];
  const read = async (uri: string) => {
    let sent = 0;
    const onSent = (seq: number): void => {
      sent = seq;
    };
    const params = JSON.stringify({ uri });
    return { uri, answer: await connection.request('resources/read', params, undefined, signal, { onSent }), sent };
  };
  const answers = await Promise.all([
    ...uris.map(read),
    ...Object.keys(listed).map(async () => {
      await askAlive(session, signal);
      return undefined;
    }),
  ]);
  const found: CheckFinding[] = [];
  for (const each of answers) {
    if (!each) continue;
    const text = answerText(each.answer);
    const other = uris.find((uri) => uri !== each.uri && isAbout(each.answer, text, uri, each.uri));
    if (other === undefined) continue;
    const message = `The server answered the request for ${each.uri} with ${other}, which another request asked for.`;
    found.push(finding(session, 'answer-swapped', message, session.frames.answerTo(each.sent)));
  }
  return found;
}

/** URIs that no server has, and that can’t be a part of each other. */
function canaries(): readonly string[] {
  return Array.from({ length: 8 }, (_, at) => `mcp-inspect-canary-${at}x://canary-${at}x`);
}

function answerText(answer: ServerAnswer): string {
  return answer.kind === 'error' ? JSON.stringify(answer.error) : answer.text;
}

/** True if an answer names another URI and not its own. A result counts by the URI of its contents. */
function isAbout(answer: ServerAnswer, text: string, other: string, asked: string): boolean {
  const contents = answer.kind === 'result' && isObject(answer.result) ? own(answer.result, 'contents') : undefined;
  if (Array.isArray(contents)) {
    const uris = contents.map((content) => (isObject(content) ? own(content, 'uri') : undefined));
    return uris.includes(other) && !uris.includes(asked);
  }
  return text.includes(other) && !text.includes(asked) && other.startsWith('mcp-inspect-canary-');
}

async function cancelFinished(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const { connection, frames, negotiated } = session;
  const method = negotiated.era === 'legacy' ? 'ping' : 'server/discover';
  await connection.request(method, undefined, undefined, signal);
  const requestId = frames.newestRequest(method)?.id;
  connection.notify('notifications/cancelled', JSON.stringify({ requestId, reason: 'mcp-inspect check' }));
  return [];
}

async function hugeMessage(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const params = JSON.stringify({ text: 'x'.repeat(HUGE_CHARS) });
  await ofHttp(session, session.connection.request('mcp-inspect/huge', params, undefined, signal));
  return [];
}

async function invalidJson(session: Session): Promise<readonly CheckFinding[]> {
  session.frames.pause();
  try {
    await ofHttp(
      session,
      session.connection.sendText('{"jsonrpc":"2.0","id":1,"method":', () => {}),
    );
  } finally {
    session.frames.resume();
  }
  return [];
}

/** Waits for an answer. Over HTTP, a refusal by status is an answer as well, unless the session is lost. */
async function ofHttp({ isStdio }: Session, answer: Promise<unknown>): Promise<void> {
  await answer.catch((error: unknown) => {
    if (isStdio || !isFailure(error) || error.code === 'session-lost') throw error;
  });
}
