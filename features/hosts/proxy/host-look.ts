import { toolApp } from '@/features/apps/lib/app-meta';
import type { LoadedHostJudge } from '@/features/host-judge';
import { isObject, own } from '@/lib/json/value';
import { mayHaveLists } from '@/lib/wire/declares';
import { pagesOf } from '@/proxy/commands/headless/results';
import { hostReport } from '../lib/host-report';
import { judgeFile, judgeHosts } from '../lib/judge-hosts';

/** Pages of apps that are read. */
const MOST_APPS = 20;

const LISTS = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['prompts/list', 'prompts'],
] as const;

const explore: LoadedHostJudge['explore'] = async ({ connection, negotiated }) => {
  const apps = new Set<string>();
  for (const [method, capability] of LISTS) {
    if (!negotiated || !mayHaveLists(negotiated, capability)) continue;
    for await (const page of pagesOf(connection, method)) {
      if (page.kind === 'error') break;
      const tools = isObject(page.result) ? own(page.result, 'tools') : undefined;
      for (const tool of Array.isArray(tools) ? tools : []) {
        const uri = toolApp(tool)?.uri;
        if (uri !== undefined && apps.size < MOST_APPS) apps.add(uri);
      }
    }
  }
  // A server that answers none of them costs the time of one.
  await Promise.all([...apps].map((uri) => connection.request('resources/read', JSON.stringify({ uri }))));
  await connection.sendAsHosts();
};

/** Reads what facts about hosts look at, and judges it. */
export const LOADED: LoadedHostJudge = {
  explore,
  judge: judgeHosts,
  judgeFile,
  report: hostReport,
};
