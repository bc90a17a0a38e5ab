import { leafPaths } from '@/lib/host/client-facts';
import { type ComparedHost, compareHosts, type HostComparison } from '@/lib/host/compare-hosts';
import { type HostParameter, type HostView, hostParameters } from '@/lib/host/host-view';
import {
  evidenceText,
  hostTitle,
  parameterText,
  stepFacts,
  toolDurations,
  toolsText,
  waitsText,
} from '@/lib/host/words';
import { countOf, formatCount, formatDuration, formatTime } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { table } from '@/proxy/cli/table';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { readRecordedHost } from '@/proxy/commands/shared/read-host';
import { requireOneStdin } from '@/proxy/commands/shared/recording-files';
import { openErrorText } from '@/proxy/recorder/open-file';

/** Tools that were never called and are named in the text. `--json` has all. */
const NAMED_TOOLS = 40;
/** Values shown of a parameter. */
const SHOWN_VALUES = 3;

/** Prints how hosts use a server, as recordings of their sessions say, and with two recordings what differs. */
export async function printUsage(context: CommandContext): Promise<ExitCode> {
  const { request, printText, printLines, status, printNote } = context;
  const { words } = request;
  if (words.length === 0 || words.length > 2) {
    throw usageError(
      '`--usage` is about one recording, or compares two: write `mcp-inspect report --usage FILE [OTHER]`.',
    );
  }
  requireOneStdin(words);
  const hosts: ReadHost[] = [];
  for (const word of words) {
    const { path } = await namedFile(word, context);
    hosts.push(await readHost(path, word, context));
  }
  status.end();
  const [one, other] = hosts as [ReadHost, ReadHost?];
  const comparison = other && compareHosts(one, other);
  if (request.given.has('json')) {
    printText(terminalJson({ hosts: hosts.map(hostJson), ...(comparison && { comparison }) }));
  } else if (other && comparison) printLines(comparisonLines(one, other, comparison));
  else printLines(hostLines(one));
  for (const { file, view, lacks } of hosts) {
    if (lacks !== undefined) printNote(`mcp-inspect: ${file}: ${lacks}`);
    if (view.unread > 0) printNote(`mcp-inspect: ${file}: ${countOf(view.unread, 'message')} could not be read.`);
  }
  return EXIT.fine;
}

interface ReadHost extends ComparedHost {
  readonly file: string;
  /** Says what is missing in the file. */
  readonly lacks: string | undefined;
}

async function readHost(path: string, file: string, { status }: CommandContext): Promise<ReadHost> {
  try {
    const { log, reader, view, lacks } = await readRecordedHost(path, file, status);
    return { file, lacks, view, parameters: (tool) => hostParameters(log, reader, tool) };
  } catch (error) {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `--usage`')}`);
  }
}

function hostJson({ file, lacks, view, parameters }: ReadHost): unknown {
  return {
    file,
    ...(lacks !== undefined && { lacks }),
    ...view,
    tools: view.tools.map((tool) => ({ ...tool, parameters: parameters(tool.name) })),
  };
}

const heading = (text: string): Line => [{ text, tone: 'strong' }];

function hostLines({ view, parameters }: ReadHost): readonly Line[] {
  const width = process.stdout.columns;
  const called = view.tools.filter(({ calls }) => calls > 0);
  const unused = view.tools.filter(({ calls }) => calls === 0);
  const given = called.flatMap(({ name }) => parameters(name).map((parameter) => ({ tool: name, parameter })));
  const asLines = (text: string): Line[] => text.split('\n').map((line) => [line]);
  return [
    heading(hostTitle(view)),
    ...factsOf(view).map(([name, text]): Line => [`  ${name.padEnd(13)} ${text}`]),
    [''],
    heading('What it asks for, in order'),
    ...asLines(table(['TIME', 'MESSAGE', '', 'TOOK'], view.steps.map(stepCells), width)),
    ...(view.omittedSteps > 0 ? [[`… and ${countOf(view.omittedSteps, 'further step')}`]] : []),
    ...(called.length === 0
      ? []
      : [
          [''],
          heading('Tools that it calls'),
          ...asLines(table(['TOOL', 'CALLS', 'ERRORS', 'TIMES', 'TOKENS'], called.map(toolCells), width)),
        ]),
    ...(given.length === 0
      ? []
      : [
          [''],
          heading('Arguments'),
          ...asLines(
            table(
              ['TOOL', 'PARAMETER', 'GIVEN', 'ERRORS', 'VALUES'],
              given.map(({ tool, parameter }) => [tool, ...parameterCells(parameter)]),
              width,
            ),
          ),
        ]),
    ...(unused.length === 0 ? [] : [[''], ['Never called: ', namesOf(unused.map(({ name }) => name))]]),
  ];
}

function factsOf(view: HostView): readonly (readonly [string, string])[] {
  const { identities, era, version, server, waits, meta, requests, answers, tokens } = view;
  const identity = identities.at(-1);
  const capabilities = [...leafPaths(identity?.capabilities ?? {})];
  const asked =
    identity?.version === undefined || identity.version === version ? '' : `, asked for ${identity.version}`;
  return [
    ...(view.host === undefined ? [] : ([['tapped as', view.host]] as const)),
    ...(identities.length > 1 ? ([['presents', `itself in ${countOf(identities.length, 'way')}`]] as const) : []),
    ['protocol', version === undefined ? 'no handshake' : `${version}, ${era} era${asked}`],
    [
      'capabilities',
      capabilities.map(([path, value]) => (value === '{}' ? path : `${path}: ${value}`)).join(', ') || 'none',
    ],
    ['server', `${server.name} ${server.version}`.trim() || 'has not answered'],
    ['waits', [waitsText(waits), evidenceText(waits)].filter(Boolean).join('. ')],
    ...meta.map(
      ({ key, count, example }) => ['_meta', `${key} in ${count} of ${requests} requests, first ${example}`] as const,
    ),
    ...answers.map(
      ({ method, asked: all, answered, refused }) =>
        ['answers', `${method}: ${answered} of ${all}${refused > 0 ? `, refused ${refused}` : ''}`] as const,
    ),
    ['tools', `${toolsText(view)}, ~${formatCount(tokens)} tokens of definitions`],
  ];
}

function stepCells(step: HostView['steps'][number]): readonly string[] {
  const { method, about = '', atUs, tookUs } = step;
  const took = tookUs === undefined ? '' : formatDuration(tookUs);
  return [formatTime(atUs), method, [about, ...stepFacts(step)].filter(Boolean).join(', '), took];
}

function toolCells(tool: HostView['tools'][number]): readonly string[] {
  const { name, calls, errors, tokens, listed } = tool;
  const definition = listed ? `~${formatCount(tokens)}` : 'not listed';
  return [name, String(calls), String(errors), toolDurations(tool), definition];
}

function parameterCells(parameter: HostParameter): readonly string[] {
  const { name, given, errors, required, declared } = parameter;
  const mark = declared ? (required ? ' *' : '') : ' (not in the schema)';
  return [`${name}${mark}`, String(given), String(errors), parameterText(parameter, SHOWN_VALUES)];
}

function namesOf(names: readonly string[]): string {
  const more = names.length > NAMED_TOOLS ? `, and ${names.length - NAMED_TOOLS} more` : '';
  return names.slice(0, NAMED_TOOLS).join(', ') + more;
}

function comparisonLines(one: ReadHost, other: ReadHost, comparison: HostComparison): readonly Line[] {
  const { differences, same, otherServer, isCut } = comparison;
  const rows = differences.map(({ topic, what, before, after }) => [topic, what, before, after]);
  return [
    [`1  ${hostTitle(one.view)}  ${one.file}`],
    [`2  ${hostTitle(other.view)}  ${other.file}`],
    ...(otherServer ? [[{ text: 'They use different servers.', tone: 'warn' as const }]] : []),
    [''],
    ...(rows.length === 0
      ? [['No differences']]
      : table(['', 'WHAT', '1', '2'], rows, process.stdout.columns)
          .split('\n')
          .map((line): Line => [line])),
    ...(isCut ? [['… and more']] : []),
    ...(same.length > 0 && rows.length > 0 ? [[''], [`The same: ${same.join(', ').toLowerCase()}`]] : []),
  ];
}
