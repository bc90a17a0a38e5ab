import { groupBy } from '@/lib/store/columns/collections';
import { countOf, formatCount } from '@/lib/wire/format';
import { mostWhenNone } from '../statistics';
import {
  type AnswerRow,
  MOST_SOURCES,
  percent,
  type ReportedRecording,
  type ReportQuestion,
  sourceOf,
  summaryServer,
} from './question';

const NO_HOST = '(unknown host)';

export const NEVER_CALLED: ReportQuestion = {
  id: 'never-called',
  title: 'Tools that hosts never call',
  about:
    'Tools that a server listed in tapped sessions of a host, and that the host never called. “At most” is the highest share of such sessions that can call it, with 95% confidence.',
  columns: [
    { title: 'Tool' },
    { title: 'Server' },
    { title: 'Host' },
    { title: 'Sessions', isNumber: true },
    { title: 'Called in at most', isNumber: true },
    { title: 'Calls by other hosts', isNumber: true },
  ],
  empty: 'Hosts called every tool, or no session of a host was tapped',
  answer: (recordings) => {
    const tapped = recordings.filter(
      ({ summary }) => summary.mode !== 'client' && summary.mode !== 'check' && summary.tools.length > 0,
    );
    const rows = [...groupBy(tapped, ({ summary }) => summaryServer(summary)).values()]
      .flatMap(rowsOfServer)
      .sort((a, b) => b.recordings - a.recordings);
    return { rows, basis: countOf(tapped.length, 'tapped session') };
  },
};

function hostOf({ summary }: ReportedRecording): string {
  return summary.host?.name ?? NO_HOST;
}

function rowsOfServer(recordings: readonly ReportedRecording[]): readonly AnswerRow[] {
  const server = summaryServer(recordings[0]!.summary);
  const calls = new Map<string, Map<string, number>>();
  const offered = new Map<string, Map<string, ReportedRecording[]>>();
  for (const recording of recordings) {
    const host = hostOf(recording);
    for (const tool of recording.summary.tools) {
      const ofTool = calls.get(tool.name) ?? new Map<string, number>();
      calls.set(tool.name, ofTool.set(host, (ofTool.get(host) ?? 0) + tool.calls));
      if (tool.unlisted) continue;
      const hosts = offered.get(tool.name) ?? new Map<string, ReportedRecording[]>();
      offered.set(tool.name, hosts);
      const sessions = hosts.get(host);
      if (sessions) sessions.push(recording);
      else hosts.set(host, [recording]);
    }
  }
  return [...offered].flatMap(([tool, hosts]) =>
    [...hosts].flatMap(([host, sessions]): AnswerRow[] => {
      const ofTool = calls.get(tool)!;
      if (ofTool.get(host)! > 0) return [];
      const others = [...ofTool.values()].reduce((sum, count) => sum + count, 0);
      const atMost = mostWhenNone(sessions.length);
      return [
        {
          cells: [tool, server, host, formatCount(sessions.length), percent(atMost), formatCount(others)],
          facts: { tool, server, host, sessions: sessions.length, atMost, callsByOthers: others },
          sources: sessions.slice(0, MOST_SOURCES).map((session) => sourceOf(session)),
          recordings: sessions.length,
        },
      ];
    }),
  );
}
