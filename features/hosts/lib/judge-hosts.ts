import type { DirectoryFile, FilePlace, HostObstacle, HostState, HostVerdict } from '@/features/host-judge';
import { diagnose } from '@/lib/doctor/diagnose';
import type { Log } from '@/lib/store/log';
import { type HostFact, NOT_SEEN, type NotSeen, STAGES, type Stage } from './fact';
import { HOST_FACTS } from './facts';
import { HOST_QUESTIONS } from './host-questions';
import { type HostSession, hostSession } from './host-session';
import { type HostId, JUDGED_HOSTS, type JudgedHost, SESSION_HOSTS } from './hosts';
import { hasRemotes } from './looks/files';
import { unreadAnswer } from './looks/http';
import { isOutOfReach } from './looks/reach';
import { hasAuthorizationServer, unexplainedSignIn } from './looks/sign-in';

/** Age from which a source is old: hosts change within months. */
const OLD_DAYS = 180;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Places of a fact in a file that are named. */
const MOST_FILE_PLACES = 50;

/** Stages at which an obstacle is reason enough for a failed connection. */
const EXPLAINING: readonly Stage[] = ['reach', 'transport'];

const LOSSES: readonly HostObstacle['loses'][] = ['server', 'all-tools', 'tool', 'result', 'feature'];

/** Judges a session for some hosts. Costs nothing per frame that no fact looks at. */
export function judgeHosts(log: Log, hosts: readonly string[], now: Date): readonly HostVerdict[] {
  const session = hostSession(log);
  return JUDGED_HOSTS.filter(({ id }) => hosts.includes(id)).map((host) => judgeHost(log, session, host, now));
}

function judgeHost(
  log: Log,
  session: HostSession,
  { id, title, isCloud, takesBundles }: JudgedHost & { readonly id: HostId },
  now: Date,
): HostVerdict {
  const { always = [], process = [], signIn = [] } = HOST_QUESTIONS[id] ?? {};
  if (isCloud && isOutOfReach(session) && !(takesBundles && session.process)) {
    return unjudged({ id, title }, 'out-of-reach', 'outOfReach');
  }
  const questions = [
    ...always,
    ...(session.process ? process : []),
    ...(hasAuthorizationServer(session) ? signIn : []),
  ];
  const failure = failureOf(log, session);
  const without = typeof failure === 'string' ? failure : NOT_SEEN.handshake;
  const isUnread = typeof failure === 'object';
  const obstacles: HostObstacle[] = [];
  const untried = new Set<string>();
  let explains = false;
  const causes = new Set<string>();
  const isAboutSessions = SESSION_HOSTS.includes(id);
  if (!isAboutSessions) untried.add(NOT_SEEN.file);
  for (const fact of hostFacts(id)) {
    const sight = fact.look?.(session) ?? 'holds';
    if (sight === 'holds') continue;
    if ('notSeen' in sight) {
      const missing = sight.notSeen === 'tools' && isUnread ? 'unread' : sight.notSeen;
      untried.add(session.handshake ? NOT_SEEN[missing] : without);
      continue;
    }
    if ('ask' in sight) {
      questions.push(`${sight.ask} The host ${fact.does} (${fact.source}, ${fact.on})`);
      continue;
    }
    if (causes.has(fact.cause ?? fact.id)) continue;
    causes.add(fact.cause ?? fact.id);
    obstacles.push(obstacleOf(fact, sight, now));
    explains ||= fact.loses === 'server' && EXPLAINING.includes(fact.stage);
  }
  if (typeof failure === 'string') untried.add(failure);
  else if (failure && !explains) obstacles.push(failure);
  obstacles.sort(byWeight);
  const isSeen = isAboutSessions && session.handshake !== undefined && session.tools !== undefined;
  const state = losesEveryTool(obstacles, session) ? 'fails' : stateOf(obstacles, isSeen);
  return { host: id, title, state, obstacles, untried: [...untried], questions };
}

/** Returns the verdict of a host that looked at nothing. */
function unjudged({ id, title }: Pick<JudgedHost, 'id' | 'title'>, state: HostState, why: NotSeen): HostVerdict<never> {
  return { host: id, title, state, obstacles: [], untried: [NOT_SEEN[why]], questions: [] };
}

/** Judges a file for some hosts. Starts nothing. */
export function judgeFile(file: DirectoryFile, hosts: readonly string[], now: Date): readonly HostVerdict<FilePlace>[] {
  return JUDGED_HOSTS.filter(({ id }) => hosts.includes(id)).map((host) => judgeFileFor(file, host, now));
}

function judgeFileFor(
  file: DirectoryFile,
  { id, title, isCloud, takesBundles }: JudgedHost & { readonly id: HostId },
  now: Date,
): HostVerdict<FilePlace> {
  if (isCloud && !takesBundles && !hasRemotes(file)) {
    return unjudged({ id, title }, 'out-of-reach', 'outOfReach');
  }
  const facts = hostFacts(id);
  const looks = facts.filter(({ inFile }) => inFile?.kind === file.kind && (inFile.isAbout?.(file) ?? true));
  if (looks.length === 0) {
    return unjudged({ id, title }, 'unknown', 'otherFile');
  }
  const obstacles = looks.flatMap((fact) => {
    const [first, ...more] = fact.inFile!.find(file).slice(0, MOST_FILE_PLACES);
    return first ? [obstacleOf(fact, [first, ...more], now)] : [];
  });
  obstacles.sort(byWeight);
  const { always = [], files = {} } = HOST_QUESTIONS[id] ?? {};
  const untried = facts.some(({ look }) => look) ? [NOT_SEEN.session] : [];
  const state = stateOf(obstacles, true);
  return { host: id, title, state, obstacles, untried, questions: [...always, ...(files[file.kind] ?? [])] };
}

const FACTS_OF = new Map<HostId, readonly HostFact[]>();

/** Returns the facts of a host in the order of a connection. */
export function hostFacts(host: HostId): readonly HostFact[] {
  const known = FACTS_OF.get(host);
  if (known) return known;
  const found = HOST_FACTS.filter(({ hosts }) => hosts.includes(host));
  const sorted = found.toSorted((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage));
  FACTS_OF.set(host, sorted);
  return sorted;
}

function obstacleOf<P extends FilePlace>(fact: HostFact, places: readonly [P, ...P[]], now: Date): HostObstacle<P> {
  const { id, loses, confidence, does, advice, source, on } = fact;
  const isOld = now.getTime() - Date.parse(on) > OLD_DAYS * DAY_MS;
  return { fact: id, loses, isReported: confidence === 'reported', does, advice, source, on, isOld, places };
}

/** Failures by which mcp-inspect refuses something that a host may do. */
const OWN_REFUSALS: ReadonlySet<string> = new Set(['redirect-refused', 'redirected-elsewhere', 'address-refused']);

/** The habit of hosts without metadata. The addresses may exist, so this is not an obstacle. */
const GUESSED_SIGN_IN =
  'A host can guess /authorize and /token at its origin, or send a token that its user enters. Nothing after that could be checked.';

/** Failures by which the metadata of a sign-in breaks the specification. A host may be less strict. */
const METADATA_FAULTS: ReadonlySet<string> = new Set([
  'authorization-metadata',
  'authorization-unexplained',
  'authorization-url-refused',
  'issuer-mismatch',
  'no-code-flow',
  'no-pkce',
  'resource-mismatch',
]);

/** The obstacle of every host for a server that nobody can connect to. */
const UNCONNECTED = {
  fact: 'not-connected',
  loses: 'server',
  isReported: false,
  does: 'meets the same failure as mcp-inspect.',
  source: 'this session',
  on: '',
  isOld: false,
} as const satisfies Omit<HostObstacle, 'places' | 'advice'>;

/**
 * Explains a failed connection: as an obstacle for every host if the server answered or exited. Otherwise as a
 * sentence, because the fault may be this machine’s.
 */
function failureOf(log: Log, session: HostSession): string | HostObstacle | undefined {
  const { handshake, signIn, exchanges } = session;
  const { failure, authorization, exit, lastLifecycleSeq } = log.state.connection;
  const unread = unreadIn(session);
  if (handshake || unread) return unread;
  if (authorization !== undefined || signIn.some(({ kind }) => kind === 'challenge')) {
    const { what, advice } = (failure && METADATA_FAULTS.has(failure.code) && diagnose(log)) || {};
    if (what !== undefined) return `A client that keeps to the specification can’t sign in. ${what} ${advice}`;
    const unexplained = unexplainedSignIn(session);
    return unexplained === undefined ? NOT_SEEN.signIn : `${unexplained} ${GUESSED_SIGN_IN}`;
  }
  if (!failure) return undefined;
  const { code, message, advice } = failure;
  const answer = exchanges.findLast(({ response }) => response !== undefined)?.response;
  if ((!answer && !exit) || OWN_REFUSALS.has(code))
    return `mcp-inspect could not connect, so nothing after that was seen. ${message}`;
  const diagnosis = diagnose(log);
  // A user may give the token that is missing.
  if (diagnosis?.code === 'unauthorized') return `${diagnosis.what} ${diagnosis.advice}`;
  const {
    seq,
    what,
    advice: fix,
  } = diagnosis ?? {
    seq: answer?.seq ?? lastLifecycleSeq,
    what: message,
    advice,
  };
  return { ...UNCONNECTED, advice: fix, places: [{ seq, words: what }] };
}

/** Returns an answer that nobody can read as an obstacle: to the handshake, or to the request for the tools. */
function unreadIn(session: HostSession): HostObstacle | undefined {
  const { handshake, tools } = session;
  if (handshake && tools) return undefined;
  const unread = unreadAnswer(session, handshake ? ['tools/list'] : ['initialize']);
  if (!unread) return undefined;
  const advice = 'Send one whole message, and the number of its bytes as `Content-Length`, or no length.';
  return { ...UNCONNECTED, fact: 'not-read', loses: handshake ? 'all-tools' : 'server', advice, places: [unread] };
}

/** True if certain obstacles take each tool of a server, one by one. */
function losesEveryTool(obstacles: readonly HostObstacle[], { tools = [] }: HostSession): boolean {
  const certain = obstacles.filter(({ isReported, loses }) => !isReported && loses === 'tool');
  const lost = new Set(certain.flatMap(({ places }) => places.flatMap(({ tool }) => tool ?? [])));
  // A host that drops the second tool of a name still has the first, so the names have to differ.
  return tools.length > 0 && lost.size === tools.length && tools.every(({ name }) => lost.has(name));
}

type Weighed = Pick<HostObstacle, 'isReported' | 'loses'>;

function byWeight(a: Weighed, b: Weighed): number {
  return Number(a.isReported) - Number(b.isReported) || LOSSES.indexOf(a.loses) - LOSSES.indexOf(b.loses);
}

/** Without `isSeen`, the session has not shown enough to rule out obstacles. */
function stateOf(obstacles: readonly Weighed[], isSeen: boolean): HostState {
  const certain = obstacles.filter(({ isReported }) => !isReported);
  if (certain.some(({ loses }) => loses === 'server' || loses === 'all-tools')) return 'fails';
  if (certain.length > 0) return 'loses';
  return obstacles.length === 0 && isSeen ? 'no-obstacle' : 'unknown';
}
