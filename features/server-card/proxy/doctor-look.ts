import { type CardClaim, compareCard } from '@/features/server-card/lib/compare-card';
import { type CardAnswer, cardIn, findCard, typeOf } from '@/features/server-card/lib/find-card';
import { type CardFinding, lintAnswer } from '@/features/server-card/lib/lint-card';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { CARD_TYPE } from '@/lib/transports/look-further';
import type { NearbyAddresses } from '@/lib/wire/command';
import type { CommandOutput } from '@/proxy/cli/output';
import { LINE_COLUMNS, table } from '@/proxy/cli/table';

/** The Server Card of a URL with everything that is wrong with it, or why there is none. */
type CardReport =
  | { readonly url: string; readonly none: string }
  | {
      readonly url: string;
      readonly status: number;
      readonly card: unknown;
      readonly findings: readonly CardFinding[];
      readonly claims: readonly CardClaim[];
    };

/** Asks an address near that of the server, and puts the answer into the log. */
type Ask = (where: NearbyAddresses) => Promise<void>;

/** Looks at the Server Card of a URL. */
export async function look(log: Log, ask: Ask, readTools?: () => Promise<void>) {
  const report = await reportCard(log, ask, readTools);
  return (
    report && {
      isEmpty: 'none' in report,
      isWrong: isWrongCard(report),
      value: report,
      print: (out: CommandOutput) => printCard(report, out),
    }
  );
}

/**
 * Requests the Server Card of a URL, checks it against its schema, and compares it with the live server in the log.
 * `readTools` reads the tools into the log. undefined for a process, and if no connection was made.
 */
async function reportCard(log: Log, ask: Ask, readTools?: () => Promise<void>): Promise<CardReport | undefined> {
  const { start } = log.state.connection;
  if (start === undefined || start.transport === 'stdio') return undefined;
  await ask('server-card');
  const answer = findCard(log);
  if (!answer) return undefined;
  const { url, status } = answer;
  const card = cardIn(answer);
  const none = whyNone(answer, card);
  if (status === undefined || none !== undefined) return { url, none: none ?? 'no answer' };
  // Only a card of an earlier draft lists tools, so only then they are compared.
  if (isObject(card) && own(card, 'tools') !== undefined) await readTools?.();
  return { url, status, card, findings: lintAnswer(answer), claims: isObject(card) ? compareCard(card, log) : [] };
}

/** Says why an answer is not a card. Many servers answer every path, so another type must at least look like one. */
function whyNone(answer: CardAnswer, card: unknown): string | undefined {
  const { status, failure } = answer;
  if (status === undefined) return failure ?? 'no answer';
  if (status < 200 || status > 299) return `HTTP ${status}`;
  const isCard = isObject(card) && own(card, 'jsonrpc') === undefined && own(card, 'name') !== undefined;
  return isCard || typeOf(answer) === CARD_TYPE ? undefined : `${typeOf(answer) || 'no type'} instead of ${CARD_TYPE}`;
}

/** True for a card that is invalid, or that differs from the live server. */
function isWrongCard(report: CardReport): boolean {
  if ('none' in report) return false;
  return report.findings.some(({ severity }) => severity === 'error') || report.claims.some(({ isSame }) => !isSame);
}

/** Prints a report for people. */
function printCard(report: CardReport, out: CommandOutput): void {
  if ('none' in report) {
    out.printText(`Server Card: none at ${report.url} (${report.none})`);
    return;
  }
  const { url, findings, claims } = report;
  out.printText(`Server Card: ${url}${findings.length === 0 ? ' is valid.' : ''}`);
  for (const { severity, at, message } of findings) out.printText(`  ${severity}: ${at} ${message}`);
  if (claims.length === 0) return;
  const rows = claims.map(({ what, card, live, isSame }) => [what, isSame ? 'same' : 'differs', card, live]);
  out.printText(`\n${table(['CLAIM', 'RESULT', 'CARD', 'LIVE SERVER'], rows, out.width ?? LINE_COLUMNS)}`);
}
