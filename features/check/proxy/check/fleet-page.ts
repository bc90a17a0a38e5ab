import { fleetChangeTexts } from '@/features/check/lib/fleet-changes';
import type { CheckFinding } from '@/features/check/lib/report';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import { countOf, formatCount, formatDate, formatDuration } from '@/lib/wire/format';
import { columnTitle, type Html, html, htmlPage, wideTable } from '@/proxy/commands/shared/html-page';
import { type Fleet, type FleetRow, type FleetServer, problemsText } from './fleet-rows';

/** Problems of a server on the page. The JSON beside it has all. */
const SHOWN_PROBLEMS = 50;

/** Formats the page of a fleet: a row for each server, those that need somebody first. */
export function fleetPage(fleet: Fleet): string {
  const { config, version, at, hasBaseline, removed, rows, shared } = fleet;
  const columns = [
    ...['Server', 'State', 'Problems'].map((title) => ({ title, isNumber: false })),
    ...['Tools', 'Tokens', 'p95'].map((title) => ({ title, isNumber: true })),
    ...(hasBaseline ? [{ title: 'Changed since approved', isNumber: false }] : []),
  ];
  const sorted = rows.toSorted((a, b) => urgency(b.server) - urgency(a.server));
  const gone = removed.map((name) => html`<li><bdi>${name}</bdi></li>`);
  return htmlPage({
    title: `MCP servers of ${config}`,
    head: html`<p>${fleetFacts(fleet)}</p>`,
    main: html`<h2 id="servers">Servers</h2>
${wideTable(
  'servers',
  columns.map(({ title, isNumber }) => columnTitle(title, isNumber)),
  sorted.map((row) => serverRow(row, hasBaseline)),
)}
${hasBaseline ? [] : html`<p class="basis">To see changes next time, approve fleet.json: name it with --baseline.</p>`}
${gone.length > 0 ? html`<section><h2>Removed from the config</h2><ul>${gone}</ul></section>` : []}
${shared.length > 0 ? html`<section><h2>Across servers</h2><ul>${shared.map(problemItem)}</ul></section>` : []}`,
    footer: html`<p>Made by mcp-inspect ${version} on ${formatDate(at)}. All problems are in <a href="fleet.json">fleet.json</a>.</p>`,
  });
}

/** Servers that are down come first, then those with errors. */
function urgency({ reached, errors, warnings }: FleetServer): number {
  return (reached ? 0 : 1e9) + Math.min(errors, 1000) * 1e5 + Math.min(warnings, 1e4);
}

function fleetFacts({ rows, passed, hasBaseline, accepted }: Fleet): string {
  const up = rows.filter(({ server }) => server.reached).length;
  const changed = rows.filter(({ server }) => (server.changes ?? []).length > 0).length;
  return [
    `${passed ? 'Passed' : 'Failed'}: ${formatCount(up)} of ${countOf(rows.length, 'server')} reached`,
    ...(hasBaseline ? [`${formatCount(changed)} changed, ${countOf(accepted, 'problem')} accepted`] : []),
  ].join(', ');
}

function serverRow({ server, problems }: FleetRow, hasBaseline: boolean): Html {
  const { name, failure, tools, tokens, p95Ms, changes } = server;
  const about = [...(server.server === undefined ? [] : [server.server]), server.eras.join(' + ')].filter(Boolean);
  const number = (text: string | undefined) => html`<td class="number">${text ?? '–'}</td>`;
  const texts = changes?.flatMap(fleetChangeTexts);
  const changed = texts ? itemsCell(countOf(texts.length, 'change'), 'no', texts.map(textItem)) : html`–`;
  return html`<tr><th scope="row"><bdi>${name}</bdi><br><span class="about"><bdi>${about.join(', ')}</bdi></span></th>
<td>${failure === undefined ? 'Up' : html`<b class="bad">Down</b><br><bdi>${failure}</bdi>`}</td>
<td>${itemsCell(problemsText(server), 'none', problemItems(problems))}</td>
${number(tools === undefined ? undefined : formatCount(tools))}
${number(tokens === undefined ? undefined : `~${formatCount(tokens)}`)}
${number(p95Ms === undefined ? undefined : formatDuration(p95Ms * 1000))}
${hasBaseline ? html`<td>${changed}</td>` : []}</tr>
`;
}

function itemsCell(summary: string, nothing: string, items: readonly Html[]): Html {
  return items.length === 0
    ? html`${nothing}`
    : html`<details><summary>${summary}</summary><ul>${items}</ul></details>`;
}

function textItem(text: string): Html {
  return html`<li><bdi>${text}</bdi></li>`;
}

function problemItems(problems: readonly CheckFinding[]): readonly Html[] {
  const shown = problems
    .toSorted((a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity])
    .slice(0, SHOWN_PROBLEMS);
  const more = problems.length - shown.length;
  return [...shown.map(problemItem), ...(more > 0 ? [html`<li>and ${formatCount(more)} more</li>`] : [])];
}

function problemItem({ severity, rule, message, advice }: CheckFinding): Html {
  return html`<li>${severityText(severity)} <code>${rule}</code><br><bdi>${message}</bdi><br><span><bdi>${advice}</bdi></span></li>`;
}

function severityText(severity: CheckFinding['severity']): Html {
  if (severity === 'error') return html`<b class="bad">error</b>`;
  return html`<b>${severity === 'info' ? 'hint' : severity}</b>`;
}
