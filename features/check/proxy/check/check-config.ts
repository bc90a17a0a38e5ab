import type { CheckedSource, CheckFinding } from '@/features/check/lib/report';
import type { Failure } from '@/lib/wire/lifecycle';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { configServers, type NamedServer, sideBySide } from '@/proxy/commands/shared/config-servers';
import { type CheckedServer, checkServer, type ServerCheck } from './check-server';
import { failureFinding, type SessionStep } from './check-session';

/** A server of a config, and what was found. */
export interface CheckedEntry extends CheckedServer {
  readonly name: string;
}

/** The parts that all checks of a config share. */
type SharedCheck = Omit<ServerCheck, 'onClose'>;

/** How a config is checked. */
interface ConfigCheck {
  readonly options: ServerOptions;
  /** Folder of the built bin. */
  readonly home: string;
  /** Servers that are checked at a time. */
  readonly jobs: number;
  readonly check: Omit<SharedCheck, 'steps'>;
  /** Makes the steps for one server: some remember what they did. */
  stepsOf(): readonly SessionStep[];
  printNote(text: string): void;
  /** Gets what ends all running sessions. */
  onClose(close: () => Promise<void>): void;
}

/** Checks every server of a config that it does not disable. Throws an ExitError if the config can’t be read. */
export async function checkConfig(how: ConfigCheck): Promise<readonly CheckedEntry[]> {
  const { options, home, jobs, check, stepsOf, printNote, onClose } = how;
  const servers = await configServers(options, home, printNote);
  const running = new Set<() => Promise<void>>();
  const closeAll = async (): Promise<void> => {
    await Promise.all([...running].map((close) => close()));
  };
  onClose(closeAll);
  let done = 0;
  const status = {
    show: () => check.status.show(`${done} of ${servers.length} servers… Ctrl-C cancels`),
    end: () => check.status.end(),
  };
  const work = async (server: NamedServer): Promise<CheckedEntry> => {
    const entry = await checkEntry(server, { ...check, steps: stepsOf(), status }, running);
    done++;
    status.show();
    return entry;
  };
  try {
    return await sideBySide(servers, jobs, work);
  } finally {
    check.status.end();
    // After an error of our own, others may still run.
    await closeAll();
  }
}

async function checkEntry(
  { name, launch: find }: NamedServer,
  check: SharedCheck,
  running: Set<() => Promise<void>>,
): Promise<CheckedEntry> {
  let current: (() => Promise<void>) | undefined;
  try {
    const launch = await find();
    if (!('transport' in launch)) return notReached(name, launch);
    const onClose = (close: () => Promise<void>): void => {
      if (current) running.delete(current);
      current = close;
      running.add(close);
    };
    const checked = await checkServer(launch, { ...check, onClose });
    return { ...checked, name, sources: checked.sources.map((source) => ({ ...source, entry: name })) };
  } finally {
    if (current) running.delete(current);
  }
}

function notReached(name: string, failure: Failure): CheckedEntry {
  const step = { name: 'connect', ms: 0, findings: [failureFinding(failure)] };
  return { name, sources: [{ name, entry: name, facts: {}, steps: [step], notes: [] }], failure, toolNames: [] };
}

/** Finds names of tools that several servers have, as a source of its own; undefined if there are none. */
export function sharedNames(entries: readonly CheckedEntry[], config: string): CheckedSource | undefined {
  const owners = new Map<string, string[]>();
  for (const { name, toolNames } of entries)
    for (const tool of new Set(toolNames)) owners.set(tool, [...(owners.get(tool) ?? []), name]);
  const findings = [...owners]
    .filter(([, servers]) => servers.length > 1)
    .map(
      ([tool, servers]): CheckFinding => ({
        rule: 'tool-name-shared',
        severity: 'info',
        title: 'Tool name of several servers',
        message: `"${tool}" is a tool of ${servers.map((server) => `"${server}"`).join(', ')}.`,
        path: undefined,
        frames: [],
        spec: undefined,
        advice: 'A host that does not put the server’s name before it can offer only one of them: rename it.',
      }),
    );
  return findings.length === 0
    ? undefined
    : { name: config, facts: {}, steps: [{ name: 'names', ms: 0, findings }], notes: [] };
}
