import type { Log } from '@/lib/store/log';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import { causeText, type Diagnosis } from './diagnosis';

/** Returns each claim of a diagnosis that the frames of its log do not bear out. */
export function falseClaims(diagnosis: Diagnosis, log: Log): readonly string[] {
  const frames = readFrames(log);
  const evidence = [...diagnosis.evidence, ...diagnosis.steps.flatMap((step) => step.evidence)];
  const cause = causeText(diagnosis);
  const wrong: string[] = [];
  const claim = (isTrue: boolean, text: string): void => {
    if (!isTrue) wrong.push(`${diagnosis.code}: ${text}`);
  };

  for (const { text, seq } of evidence) {
    claim(seq === undefined || (seq >= 1 && seq <= log.size), `#${seq} exists: ${text}`);
    const at = seq === undefined ? undefined : frames.http.get(seq);
    const request = /^(GET|POST) (\S+)$/.exec(text);
    if (request) claim(at?.kind === 'request' && at.method === request[1] && at.url === request[2], text);
    const status = /^HTTP (\d{3})\b/.exec(text);
    if (status) claim(at?.kind === 'response' && at.status === Number(status[1]), text);
    const sent = /^headers sent: (.+)$/.exec(text);
    if (sent) claim(at?.kind === 'request' && namesOf(at).join(', ') === sent[1], text);
    const unsent = /^not sent after the redirect: (.+)$/.exec(text);
    for (const name of unsent?.[1]?.split(', ') ?? []) {
      const first = at && frames.requests.find(({ exchange }) => exchange === at.exchange);
      claim(
        at?.kind === 'request' && !namesOf(at).includes(name) && first !== undefined && namesOf(first).includes(name),
        text,
      );
    }
  }

  for (const [url] of `${cause}\n${evidence.map(({ text }) => text).join('\n')}`.matchAll(/https?:\/\/[^\s"`,]+/g)) {
    const bare = url.replace(/[.:;)]+$/, '');
    const isKnown = frames.urls.some((known) => known === bare || known.startsWith(`${bare}/`));
    claim(isKnown || frames.texts.some((text) => text.includes(bare)), `the URL ${bare} is in the log`);
  }
  for (const [, status] of cause.matchAll(/\bHTTP (\d{3})\b/g))
    claim(frames.statuses.has(Number(status)), `HTTP ${status} was answered`);
  for (const [, quote] of cause.matchAll(/`([^`]+)`/g)) {
    const bare = quote!.replace(/…$/, '');
    claim(frames.texts.some((text) => text.includes(bare)) || /^[-\w.]+(:|: [\w.]+)?$/.test(bare), `quotes ${bare}`);
  }
  const last = frames.requests.filter((one) => !('about' in one)).at(-1);
  if (/rejected the credentials/.test(cause))
    claim(lowerNames(last).includes('authorization'), 'credentials were sent');
  if (/did not send Authorization/.test(cause))
    claim(!lowerNames(last).includes('authorization'), 'no credentials were sent');
  if (/had accepted this session id/.test(cause)) {
    const isAccepted = frames.requests.some(({ exchange, session }) => {
      const status = [...frames.http.values()].findLast((one) => one.kind === 'response' && one.exchange === exchange);
      const isFine = status?.kind === 'response' && status.status <= 299;
      return (
        isFine && last !== undefined && exchange < last.exchange && session === last.session && session !== undefined
      );
    });
    claim(isAccepted, 'the session id was accepted before');
  }
  const exit = /exited with code (\d+)/.exec(cause);
  if (exit) claim(frames.exitCodes.includes(Number(exit[1])), exit[0]);
  if (/printed nothing\./.test(cause)) claim(frames.printed === 0, 'nothing was printed');
  if (/printed nothing on stdout/.test(cause)) claim(frames.junk === 0, 'nothing was printed on stdout');
  const lines = /printed (\d+) lines? on stdout/.exec(cause);
  if (lines) claim(frames.junk === Number(lines[1]), lines[0]);
  claim(!/message log/i.test(`${cause} ${diagnosis.advice}`), 'no message log is mentioned');
  return wrong;
}

type RequestFrame = Extract<HttpFrame, { kind: 'request' }>;

const namesOf = ({ headers }: RequestFrame): readonly string[] => headers.map(([name]) => name);
const lowerNames = (frame: RequestFrame | undefined) => (frame ? namesOf(frame).map((name) => name.toLowerCase()) : []);

/** Reads the frames on their own, not by the facts of the doctor. */
function readFrames(log: Log) {
  const http = new Map<number, HttpFrame>();
  const texts: string[] = [];
  const urls: string[] = [];
  const exitCodes: number[] = [];
  let [junk, stderr, messages] = [0, 0, 0];
  const addUrl = (url: string, base?: string): void => {
    if (URL.canParse(url, base)) urls.push(url, new URL(url, base).href, new URL(url, base).origin);
  };
  for (let index = 0; index < log.size; index++) {
    const { channel, direction, kind } = log.row(index);
    const text = withoutAnsi(log.text(index));
    texts.push(text.replace(/\s+/g, ' ').replaceAll('`', "'"));
    if (channel === 'stderr' && text.trim() !== '') stderr++;
    if (channel === 'protocol' && direction === 'to-client') kind === 'junk' ? junk++ : messages++;
    const event = channel === 'lifecycle' ? JSON.parse(text) : {};
    if (event.event === 'start' && event.url) addUrl(event.url);
    if (event.event === 'exit') exitCodes.push(event.code);
    if (event.event === 'spawned') [junk, stderr, messages] = [0, 0, 0];
    if (event.message) texts.push(String(event.message));
    const frame = channel === 'http' ? readHttpFrame(text) : undefined;
    if (!frame) continue;
    http.set(index + 1, frame);
    if (frame.kind === 'request') addUrl(frame.url);
    if (frame.kind === 'response') {
      const base = [...http.values()].findLast((one) => one.kind === 'request' && one.exchange === frame.exchange);
      for (const [name, value] of frame.headers)
        if (name.toLowerCase() === 'location' && base?.kind === 'request') addUrl(value, base.url);
    }
    if (frame.kind === 'sse' && frame.event === 'endpoint') addUrl(frame.data ?? '', 'http://none.invalid');
    if (frame.kind === 'end' && frame.message) texts.push(frame.message);
    const quotable = frame.kind === 'body' ? frame.text : frame.kind === 'sse' ? frame.data : undefined;
    if (quotable !== undefined) texts.push(quotable.replace(/\s+/g, ' '));
  }
  const all = [...http.values()];
  return {
    http,
    texts,
    urls,
    exitCodes,
    junk,
    printed: junk + stderr + messages,
    requests: all.filter((frame): frame is RequestFrame => frame.kind === 'request'),
    statuses: new Set(all.flatMap((frame) => (frame.kind === 'response' ? [frame.status] : []))),
  };
}
