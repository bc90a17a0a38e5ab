import { ERROR_RATES } from './error-rates';
import { NEVER_CALLED } from './never-called';
import {
  type AnswerRow,
  newestFirst,
  type QuestionColumn,
  type QuestionOptions,
  type ReportedRecording,
  type ReportQuestion,
  summaryServer,
} from './question';
import { REGRESSIONS } from './regressions';
import { SLOWEST_TOOLS } from './slowest-tools';

/** The questions, in the order in which a report answers them. */
export const QUESTIONS: readonly ReportQuestion[] = [REGRESSIONS, SLOWEST_TOOLS, ERROR_RATES, NEVER_CALLED];

/** Most rows of an answer, unless more are asked for. More would be data, not an answer. */
export const MOST_ROWS = 100;

/** The answer to a question. */
export interface ReportAnswer extends Pick<ReportQuestion, 'id' | 'title' | 'about' | 'empty'> {
  readonly columns: readonly QuestionColumn[];
  /** Calls and recordings that the answer rests on. */
  readonly basis: string;
  readonly rows: readonly AnswerRow[];
  readonly rowsLeftOut: number;
  /** See {@link Answered}. */
  readonly comparedNothing?: true;
}

/** Answers to all questions over many recordings. */
export interface TeamReport {
  readonly recordings: number;
  readonly servers: number;
  readonly requests: number;
  /** Start of the oldest and of the newest recording; '' if unknown. */
  readonly from: string;
  readonly to: string;
  /** Recordings of `check` that were left out. */
  readonly checks: number;
  readonly compare?: QuestionOptions['compare'];
  readonly answers: readonly ReportAnswer[];
}

/** Answers all questions. */
export function makeReport(recordings: readonly ReportedRecording[], asked: QuestionOptions = {}): TeamReport {
  // The same recording can be there twice, such as a copy in another folder. It counts once.
  const once = [...new Map(recordings.map((each) => [each.summary.sha256, each])).values()];
  // Requests that are wrong on purpose say nothing about the server's use.
  const used = asked.withChecks ? once : once.filter(({ summary }) => summary.mode !== 'check');
  // Newest first, so that rows name the newest recordings.
  const all = used.sort((a, b) => newestFirst(a.summary.at, b.summary.at));
  const times = all.map(({ summary }) => summary.at).filter((at) => at !== '');
  return {
    recordings: all.length,
    servers: new Set(all.map(({ summary }) => summaryServer(summary))).size,
    requests: all.reduce((sum, { summary }) => sum + summary.requests.calls, 0),
    from: times.at(-1) ?? '',
    to: times[0] ?? '',
    checks: once.length - used.length,
    ...(asked.compare && { compare: asked.compare }),
    answers: QUESTIONS.map(({ answer, id, title, about, columns, empty }) => {
      const { rows: found, basis, empty: said = empty, comparedNothing } = answer(all, asked);
      const rows = found.slice(0, asked.mostRows ?? MOST_ROWS);
      const shown = { rows, rowsLeftOut: found.length - rows.length, ...(comparedNothing && { comparedNothing }) };
      return { id, title, about, empty: said, columns, basis, ...shown };
    }),
  };
}
