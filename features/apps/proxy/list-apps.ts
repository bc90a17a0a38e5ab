import { APP_MIME_TYPE, type AppNeeds, readAppPage, toolApp } from '@/features/apps/lib/app-meta';
import { judgeSource } from '@/features/apps/lib/app-policy';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import { formatBytes } from '@/lib/wire/format';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { LINE_COLUMNS, table } from '@/proxy/cli/table';
import { NAMED_RESOURCES, NAMED_TOOLS } from '@/proxy/commands/headless/named-entries';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { requestPages } from '@/proxy/commands/headless/read-pages';
import { request, requireResult } from '@/proxy/commands/headless/results';
import { errorSentence } from '@/proxy/commands/headless/server-connection';

/** An app with everything that is wrong with it. */
interface AppReport {
  readonly tool: string;
  readonly uri: string;
  readonly visibility: readonly string[];
  readonly mimeType?: string | undefined;
  /** Bytes of its page in UTF-8. */
  readonly size?: number;
  readonly origins: readonly { readonly kind: string; readonly source: string; readonly refused?: string }[];
  readonly permissions: readonly string[];
  readonly problems: readonly string[];
}

const KINDS = ['connect', 'resource', 'frame', 'base'] as const;
/** Lists the apps of a server: what their tools and pages declare, and what a host refuses. Runs none. */
export async function print(server: ConnectedServer): Promise<ExitCode> {
  const { out } = server;
  const tools = await requestPages(server, NAMED_TOOLS);
  if (tools.refused) requireResult(tools.refused);
  const listed = await listedResources(server);
  const reports: AppReport[] = [];
  for (const tool of tools.entries) {
    const { uri, visibility = [] } = toolApp(tool) ?? {};
    if (uri !== undefined) reports.push(await reportOn(tool, uri, visibility, listed.get(uri), server));
  }
  if (out.json) out.printExact(JSON.stringify(reports));
  else if (reports.length === 0) out.printNote('mcp-inspect', 'The server has no tool with an app.');
  else {
    const rows = reports.map((app) => [app.tool, app.uri, app.mimeType ?? '', sizeOf(app), needsOf(app)]);
    out.printText(table(['TOOL', 'URI', 'TYPE', 'SIZE', 'DECLARES'], rows, out.width ?? LINE_COLUMNS));
  }
  for (const { tool, problems } of reports) {
    for (const problem of problems) out.printNote('mcp-inspect', `${tool}: ${problem}`);
  }
  return reports.some(({ problems }) => problems.length > 0) ? EXIT.serverError : EXIT.fine;
}

/** Returns listed resources by URI. None if the server refuses to list them. */
async function listedResources(server: ConnectedServer): Promise<ReadonlyMap<string, JsonObject>> {
  const { entries } = await requestPages(server, NAMED_RESOURCES);
  return new Map(entries.map((entry) => [textOrJson(own(entry, 'uri')), entry]));
}

async function reportOn(
  tool: JsonObject,
  uri: string,
  visibility: readonly string[],
  listed: JsonObject | undefined,
  server: ConnectedServer,
): Promise<AppReport> {
  const meta = own(tool, '_meta');
  const hasNewKey = isObject(meta) && isObject(own(meta, 'ui'));
  const known = { tool: textOrJson(own(tool, 'name')), uri, visibility, origins: [], permissions: [] };
  const problems = hasNewKey ? [] : ['It names its app only under the older key `ui/resourceUri`.'];
  const answer = await request(server, 'resources/read', JSON.stringify({ uri }));
  if (answer.kind === 'error') return { ...known, problems: [...problems, `No page. ${errorSentence(answer)}`] };
  const page = readAppPage(answer.result, listed);
  if (typeof page === 'string') return { ...known, problems: [...problems, page] };
  const origins = originsOf(page.needs);
  return {
    ...known,
    mimeType: page.mimeType,
    size: new TextEncoder().encode(page.html).length,
    origins,
    permissions: page.needs.permissions,
    problems: [
      ...problems,
      ...(page.mimeType === APP_MIME_TYPE
        ? []
        : [`Its MIME type is ${page.mimeType ?? 'missing'}, not ${APP_MIME_TYPE}.`]),
      ...origins.flatMap(({ source, refused }) => (refused === undefined ? [] : [`${source} is refused. ${refused}`])),
    ],
  };
}

function originsOf(needs: AppNeeds): AppReport['origins'] {
  return KINDS.flatMap((kind) =>
    needs[kind].map((source) => {
      const judged = judgeSource(source);
      return { kind, source, ...('refused' in judged && { refused: judged.refused }) };
    }),
  );
}

function sizeOf({ size }: AppReport): string {
  return size === undefined ? '' : formatBytes(size);
}

function needsOf({ origins, permissions, visibility }: AppReport): string {
  const declared = [...new Set(origins.map(({ source }) => source)), ...permissions];
  const seen = visibility.length === 2 ? [] : [`for ${visibility.join(' and ') || 'nobody'}`];
  return [...declared, ...seen].join(', ') || 'nothing';
}
