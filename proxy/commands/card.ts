import { isObject, own } from '@/lib/json/value';
import { type CardClaim, compareCard } from '@/lib/server-card/compare-card';
import { type CardAnswer, cardIn, findCard } from '@/lib/server-card/find-card';
import { type CardFinding, lintAnswer } from '@/lib/server-card/lint-card';
import { Log } from '@/lib/store/log';
import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';
import type { Output } from '@/proxy/cli/output';
import { table } from '@/proxy/cli/table';
import { type Action, type ConnectedServer, onServer } from './headless/on-server';
import { shownPages } from './headless/results';

/** Requests the Server Card of a URL, checks it against its schema, and compares it with the live server. */
export const run = onServer(async () => {
  const log = new Log('card');
  return Object.assign((server: ConnectedServer) => reportCard(server, log), {
    connect: {
      onFrame: (frame) => log.append([frame]),
      explain: async (out, look) => {
        await look('server-card');
        const report = reportOf(log);
        // Then the failure of the connection is printed as well.
        if (report) print(report, out);
        return false;
      },
    },
  } satisfies Pick<Action, 'connect'>);
});

/** A card with its findings. */
interface CardReport {
  readonly answer: CardAnswer;
  readonly card: unknown;
  readonly findings: readonly CardFinding[];
  readonly claims: readonly CardClaim[];
}

async function reportCard(server: ConnectedServer, log: Log): Promise<ExitCode> {
  const { connection, out } = server;
  const { start } = log.state.connection;
  if (start === undefined || start.transport === 'stdio') {
    throw new ExitError(EXIT.usage, 'Only a server at a URL has a Server Card: give its URL.');
  }
  await connection.lookFurther('server-card');
  const answer = findCard(log);
  const card = answer && cardIn(answer);
  if (isObject(card) && own(card, 'tools') !== undefined) {
    // Only a card of an earlier draft lists tools, so only then they are compared.
    for await (const page of shownPages(server, 'tools/list')) if (page.kind === 'error') break;
  }
  const report = reportOf(log);
  if (!report) throw new ExitError(EXIT.serverError, noCard(answer));
  print(report, out);
  const isWrong =
    report.findings.some(({ severity }) => severity === 'error') || report.claims.some(({ isSame }) => !isSame);
  return isWrong ? EXIT.serverError : EXIT.fine;
}

function noCard(answer: CardAnswer | undefined): string {
  if (!answer) return 'The card was not requested.';
  const why = answer.failure ?? (answer.status === undefined ? 'no answer' : `status ${answer.status}`);
  return `No Server Card at ${answer.url}: ${why}`;
}

function reportOf(log: Log): CardReport | undefined {
  const answer = findCard(log);
  if (answer?.status === undefined || answer.status < 200 || answer.status > 299) return undefined;
  const card = cardIn(answer);
  return {
    answer,
    card,
    findings: lintAnswer(answer),
    claims: isObject(card) ? compareCard(card, log) : [],
  };
}

/** Longest line if stdout is not a terminal. */
const LINE_COLUMNS = 200;

function print({ answer, card, findings, claims }: CardReport, out: Output): void {
  if (out.json) {
    out.printExact(JSON.stringify({ url: answer.url, status: answer.status, card, findings, claims }));
    return;
  }
  out.printText(`Server Card at ${answer.url}\n`);
  if (findings.length === 0) out.printText('It is valid.');
  for (const { severity, at, message } of findings) out.printText(`${severity}: ${at} ${message}`);
  if (claims.length === 0) return;
  const rows = claims.map(({ what, card: said, live, isSame }) => [what, isSame ? 'same' : 'differs', said, live]);
  out.printText(`\n${table(['CLAIM', 'RESULT', 'CARD', 'LIVE SERVER'], rows, out.width ?? LINE_COLUMNS)}`);
}
