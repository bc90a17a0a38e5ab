import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { junitXml } from '@/lib/check/junit-xml';
import { PINS_FILE, type Pin } from '@/lib/pins/pins-file';
import { secretsOf } from '@/lib/pins/play-pins';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { EXIT, type ExitCode, printFailure } from '@/proxy/cli/exit-code';
import type { CommandRequest, RunCommand } from '@/proxy/cli/grammar';
import { type Output, terminalOutput } from '@/proxy/cli/output';
import type { Launch } from '@/proxy/connection/launch';
import { readClientOptions } from '../headless/client-options';
import {
  type Action,
  type ConnectedServer,
  endWith,
  exitCodeOf,
  findLaunch,
  readServerRequest,
  runOn,
  type ServerRequest,
} from '../headless/on-server';
import { readPinsFile } from '../run/pins-file';
import { readCompareOptions } from '../shared/compare-report';
import { terminalJson } from '../shared/format-content';
import { writeReports } from '../shared/report-files';
import { playSides, Side } from './play-sides';
import { sidesOf, tellingOptions } from './sides';
import { isTwinEqual, twinCases, twinLines, twinReport } from './twin-report';

/** Compares two servers, or one server in two ways: their lists, and their answers to pinned calls. */
export const run: RunCommand = async ({ request, version, home, status }) => {
  try {
    const { given } = request;
    const how = readCompareOptions(given);
    const [first, second] = sidesOf(request);
    const pins = await readPinsOf(request);
    const one = await prepareSide('A', first, tellingOptions(first, second), home);
    const other = await prepareSide('B', second, tellingOptions(second, first), home);
    const environment = (name: string): string | undefined => process.env[name];
    const secrets = secretsOf(pins, environment);
    const redactor = new CaptureRedactor(secrets);
    const ends: (() => Promise<void>)[] = [];
    endWith(async () => void (await Promise.all(ends.map((end) => end()))));
    const onSide = ({ side, launch, server }: PreparedSide, act: (connected: ConnectedServer) => Promise<ExitCode>) => {
      const out = sideOutput(side.name, server.json);
      const connect: Action['connect'] = {
        ...{ redactor, secrets, out, onFrame: side.onFrame },
        explain: async (_out, _look, { message, advice }) => {
          out.printNote('mcp-inspect', `${message} ${advice}`);
          return true;
        },
      };
      return runOn(launch, Object.assign(act, { connect }), server, version, (end) => ends.push(end));
    };
    return await onSide(one, (connected) =>
      onSide(other, async (beside) => {
        const plan = { pins, how, environment, redactor, status };
        const result = await playSides([one.side, connected], [other.side, beside], plan);
        const out = terminalOutput(one.server.json);
        if (out.json) out.printExact(terminalJson(twinReport(result)));
        else out.printLines(twinLines(result));
        const name = `${one.side.title} → ${other.side.title}`;
        await writeReports(given, 'junit', () => junitXml([{ name, cases: twinCases(result) }]));
        return isTwinEqual(result) ? EXIT.fine : EXIT.serverError;
      }),
    );
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

/** Reads the named pins file, or the usual one if there is one. Throws an ExitError. */
async function readPinsOf({ words: [file] }: CommandRequest): Promise<readonly Pin[]> {
  if (file === undefined && !existsSync(resolve(PINS_FILE))) return [];
  return (await readPinsFile(file ?? PINS_FILE)).pins;
}

interface PreparedSide {
  readonly side: Side;
  readonly launch: Launch;
  readonly server: ServerRequest;
}

async function prepareSide(
  name: string,
  request: CommandRequest,
  telling: string,
  home: string,
): Promise<PreparedSide> {
  const server = { ...readServerRequest(request), client: await readClientOptions(request.given) };
  const launch = await findLaunch(server.options, home);
  const { title, protocol } = launch;
  return { side: new Side({ name, title: title + telling, protocol }), launch, server };
}

/** Prints notes with the name of their side. */
function sideOutput(name: string, json: boolean): Output {
  const out = terminalOutput(json);
  return {
    ...out,
    printNote: (source, text) =>
      source === 'mcp-inspect' ? out.printNote(source, `${name}: ${text}`) : out.printNote(`${name} ${source}`, text),
  };
}
