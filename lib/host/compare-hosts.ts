import { formatCount } from '@/lib/wire/format';
import { leafPaths } from './client-facts';
import type { HostParameter, HostTool, HostView } from './host-view';
import type { HostStep } from './opening';
import { identityText, waitsText } from './words';

/** Most differences that are listed. */
const MOST_DIFFERENCES = 1_000;
/** Steps that are written out in one line. */
const STEPS_SHOWN = 30;

/** The parts of a comparison, in the order in which people look at them. */
export const HOST_TOPICS = ['Client', 'Capabilities', 'Order', 'Waiting', 'Tools', 'Arguments'] as const;
export type HostTopic = (typeof HOST_TOPICS)[number];

/** Something that two hosts do differently. */
export interface HostDifference {
  readonly topic: HostTopic;
  /** Capability, tool or fact. Text of a host or server. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** A host, and how to look up the parameters of a tool. */
export interface ComparedHost {
  readonly view: HostView;
  parameters(tool: string): readonly HostParameter[];
}

/** Two hosts compared. */
export interface HostComparison {
  readonly differences: readonly HostDifference[];
  /** Topics without a difference. */
  readonly same: readonly HostTopic[];
  /** They use servers with other names. */
  readonly otherServer: boolean;
  /** There are more differences. */
  readonly isCut: boolean;
}

/** Compares how two hosts use a server. */
export function compareHosts(before: ComparedHost, after: ComparedHost): HostComparison {
  const found: HostDifference[] = [];
  const add = (topic: HostTopic) => (what: string, was: string, is: string) => {
    if (was !== is && found.length <= MOST_DIFFERENCES) found.push({ topic, what, before: was, after: is });
  };
  compareClients(before.view, after.view, add('Client'));
  const [was, is] = [before.view, after.view].map((view) => leafPaths(view.identities.at(-1)?.capabilities ?? {}));
  for (const path of new Set([...was!.keys(), ...is!.keys()]))
    add('Capabilities')(path, capabilityText(was!.get(path)), capabilityText(is!.get(path)));
  compareOrder(before.view.steps, after.view.steps, add('Order'));
  compareWaits(before.view, after.view, add('Waiting'));
  compareTools(before.view, after.view, add('Tools'));
  compareArguments(before, after, add('Arguments'));
  const topics = new Set(found.map(({ topic }) => topic));
  return {
    differences: found.slice(0, MOST_DIFFERENCES),
    same: HOST_TOPICS.filter((topic) => !topics.has(topic)),
    otherServer: before.view.server.name !== after.view.server.name,
    isCut: found.length > MOST_DIFFERENCES,
  };
}

type Add = (what: string, before: string, after: string) => void;
const ABSENT = 'no';

/** A capability without options is declared by an empty object. */
function capabilityText(value: string | undefined): string {
  return value === '{}' ? 'yes' : (value ?? ABSENT);
}

function compareClients(before: HostView, after: HostView, add: Add): void {
  const facts = ({ identities, version, era, meta, requests }: HostView): ReadonlyMap<string, string> => {
    const identity = identities.at(-1);
    return new Map([
      ['name', identity ? identityText(identity) : ABSENT],
      ['asked for version', identity?.version ?? ABSENT],
      ['protocol', version === undefined ? ABSENT : `${version}, ${era} era`],
      ...meta.map(({ key, count }): [string, string] => [
        `_meta ${key}`,
        count === requests ? 'in every request' : 'in some requests',
      ]),
    ]);
  };
  const [was, is] = [facts(before), facts(after)];
  for (const fact of new Set([...was.keys(), ...is.keys()])) add(fact, was.get(fact) ?? ABSENT, is.get(fact) ?? ABSENT);
}

function compareOrder(before: readonly HostStep[], after: readonly HostStep[], add: Add): void {
  add('asks for', orderText(before), orderText(after));
  const cut = (steps: readonly HostStep[]) =>
    new Set(steps.filter((step) => step.isCutShort).map(({ method }) => method));
  const [was, is] = [cut(before), cut(after)];
  const pages = (isCut: boolean) => (isCut ? 'not all' : 'all');
  for (const method of new Set([...was, ...is]))
    add(`pages of ${method}`, pages(was.has(method)), pages(is.has(method)));
}

function orderText(steps: readonly HostStep[]): string {
  const methods = steps.map(({ method, about, isFirst }) =>
    about === undefined || isFirst ? method : `${method} ${about}`,
  );
  const more = methods.length > STEPS_SHOWN ? ` → … ${methods.length - STEPS_SHOWN} more` : '';
  return methods.length === 0 ? ABSENT : methods.slice(0, STEPS_SHOWN).join(' → ') + more;
}

/** Waits are compared by what is certain: the longest wait that was seen says nothing about a limit. */
function compareWaits({ waits: before }: HostView, { waits: after }: HostView, add: Add): void {
  if (before.evidence !== 'timeout' && after.evidence !== 'timeout') return;
  const [was, is] = [before, after];
  const isClose = was.evidence === is.evidence && was.sinceProgress === is.sinceProgress && isNear(was.toUs, is.toUs);
  if (!isClose) add('timeout', waitsText(before), waitsText(after));
}

/** Timers are late when a program is busy. */
const NEAR = 0.1;

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= NEAR * Math.max(one, other);
}

function compareTools(before: HostView, after: HostView, add: Add): void {
  const [was, is] = [byName(before.tools), byName(after.tools)];
  add('tokens of definitions', `~${formatCount(before.tokens)}`, `~${formatCount(after.tokens)}`);
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was.get(name), is.get(name)];
    if ((one?.calls ?? 0) > 0 === (other?.calls ?? 0) > 0 && one?.listed === other?.listed) continue;
    add(name, calledText(one), calledText(other));
  }
}

function calledText(tool: HostTool | undefined): string {
  if (!tool) return 'not listed';
  const calls = tool.calls > 0 ? 'called' : 'never called';
  return tool.listed ? calls : `${calls}, not listed`;
}

function byName(tools: readonly HostTool[]): ReadonlyMap<string, HostTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** Compares which parameters are given in the calls of tools that both hosts call. */
function compareArguments(before: ComparedHost, after: ComparedHost, add: Add): void {
  const others = byName(after.view.tools);
  for (const tool of before.view.tools) {
    const other = others.get(tool.name);
    if (tool.calls === 0 || !other || other.calls === 0) continue;
    const [was, is] = [before, after].map((side) => new Map(side.parameters(tool.name).map((one) => [one.name, one])));
    for (const name of new Set([...was!.keys(), ...is!.keys()])) {
      add(`${tool.name}: ${name}`, shareText(was!.get(name), tool), shareText(is!.get(name), other));
    }
    add(`${tool.name}: errors`, errorsText(tool), errorsText(other));
  }
}

function shareText(parameter: HostParameter | undefined, { calls }: HostTool): string {
  if (!parameter || parameter.given === 0) return 'never given';
  return parameter.given >= calls ? 'always given' : 'sometimes given';
}

function errorsText({ calls, errors }: HostTool): string {
  if (errors === 0) return 'none';
  return errors >= calls ? 'all calls' : 'some calls';
}
