import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ServerProcess, spawnServer } from './spawn';

/** The parts of a process that a fixture server uses. `process` is one. */
interface InnerProcess {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: { write(chunk: string | Uint8Array): unknown };
  /** Ends it. Here, unlike in a process, the code behind it still runs, and its output is lost. */
  exit(code?: number): unknown;
  /** Exit code once stdin has ended. */
  exitCode?: number | string | null | undefined;
}

/** Runs a server until stdin ends or it exits. `args` are those after its script. */
type InnerServer = (program: InnerProcess, args: readonly string[]) => void;

/**
 * Returns a `spawnServer` that runs the server of one script in this process, and starts all others. Starting Node
 * takes most of the time of a test that starts a server only for its messages. `needsProcess`: true for arguments with
 * which it is started too.
 */
export function innerSpawn(
  real: typeof spawnServer,
  script: string,
  server: InnerServer,
  needsProcess: (args: readonly string[]) => boolean = () => false,
): typeof spawnServer {
  return async (request, watch) => {
    const [file = '', ...args] = request.args;
    return basename(file) !== script || needsProcess(args) ? real(request, watch) : startInside(server, args);
  };
}

/** A pid that no process has: the highest on Linux is 2 ** 22. */
const NO_PID = 2 ** 30;

type Pipes = [stdin: PassThrough, input: PassThrough, stdout: PassThrough, stderr: PassThrough];

function startInside(server: InnerServer, args: readonly string[]): ServerProcess {
  const [stdin, input, stdout, stderr] = [1, 2, 3, 4].map(() => new PassThrough()) as Pipes;
  const child = Object.assign(new EventEmitter(), {
    stdin,
    stdout,
    stderr,
    stdio: [stdin, stdout, stderr],
    pid: NO_PID,
    exitCode: null as number | null,
    signalCode: null as NodeJS.Signals | null,
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (hasEnded()) return;
    Object.assign(child, { exitCode: code, signalCode: signal });
    for (const pipe of [stdin, input]) pipe.destroy();
    for (const output of [stdout, stderr]) output.end();
    // Its output is read first, as with a process.
    setImmediate(() => child.emit('exit', code, signal));
  };
  const program: InnerProcess = {
    stdin: input,
    stdout: { write: (chunk) => !hasEnded() && stdout.write(chunk) },
    exit: (code = 0) => end(code, null),
  };
  // No server answers a message before its client has sent it.
  stdin.on('data', (chunk) => setImmediate(() => !hasEnded() && input.write(chunk)));
  stdin.on('end', () => setImmediate(() => input.end(() => setImmediate(end, Number(program.exitCode ?? 0), null))));
  server(program, args);
  return {
    child: child as unknown as ChildProcessWithoutNullStreams,
    pid: NO_PID,
    tree: { isAlive: () => !hasEnded(), signal: (name) => end(null, name), onLeaderExit: () => {} },
  };
}
