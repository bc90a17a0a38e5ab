import type { Reason } from '@/lib/store/reason/reason';
import { containerCommand } from './container-command';
import type { DoctorFinding } from './finding';
import { framingFault } from './framing-faults';
import { quoteLine } from './quote-line';

/** The output of a process, and how it ended. */
export interface Printed {
  /** The command and its arguments, with secrets masked. */
  readonly command: readonly string[];
  /** Lines on stdout that are not MCP, and lines on stderr, oldest first. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Absent while it runs. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null } | undefined;
  /** The handshake was done before. */
  readonly opened: boolean;
  /** It sent an MCP message. */
  readonly hasSent: boolean;
  /** Why it ended, in its own words. */
  readonly reason: Reason | undefined;
  /** Path of the Python interpreter that ran, and of one in the project's virtual environment. */
  readonly program?: string | undefined;
  readonly venv?: string | undefined;
  /** An address of this machine that it printed, and the server that was found there. */
  readonly address?: PrintedAddress | undefined;
}

/** An HTTP address of this machine that a process printed. */
export interface PrintedAddress {
  readonly url: string;
  /** The line that names it, or only its port. */
  readonly line: string;
  /** False if nobody has looked for an MCP server there. */
  readonly isProbed: boolean;
  /** The server that answered there, or near it. */
  readonly found?: { readonly url: string; readonly transport: 'http' | 'sse' } | undefined;
}

/** A cause that the lines of a process name, with a stable code. */
export type PrintedCause = Pick<DoctorFinding, 'what' | 'advice'> & { readonly code: string };

/** Causes that what a process printed shows. The first one that matches is the verdict. */
const PRINTED_CAUSES: readonly ((printed: Printed) => PrintedCause | undefined)[] = [
  servesHttp,
  wrongFraming,
  messagesOnStderr,
  containerTerminal,
  containerInBackground,
  containerWithoutStdin,
  moduleMissing,
  endedWithoutServing,
];

/** Returns the first cause that matches. */
export function printedCause(printed: Printed): PrintedCause | undefined {
  for (const find of PRINTED_CAUSES) {
    const found = find(printed);
    if (found) return found;
  }
  return undefined;
}

/** A server that listens on a port instead of reading its stdin. */
function servesHttp({ exit, opened, hasSent, address }: Printed): PrintedCause | undefined {
  if (exit || opened || hasSent || !address) return undefined;
  const { url, line, found, isProbed } = address;
  if (found) {
    return {
      code: 'serves-http',
      what: `The server serves MCP over HTTP at ${found.url}, but mcp-inspect started it as a stdio server.`,
      advice: 'Connect to that URL while the server runs. Or start it with its stdio transport.',
    };
  }
  const looked = isProbed ? ` No MCP server answered at ${url}, at /mcp or at /sse.` : '';
  return {
    code: 'printed-url',
    what: `The server printed \`${quoteLine(line)}\`.${looked} It may serve HTTP, but mcp-inspect started it as a stdio server.`,
    advice: 'Start it with its stdio transport. Or look up its URL and connect to that while it runs.',
  };
}

/** A server that writes messages, but not as JSON in UTF-8 on one line. */
export function wrongFraming({ stdout, hasSent }: Printed): PrintedCause | undefined {
  const [line] = stdout;
  const fault = hasSent || line === undefined ? undefined : framingFault(line);
  if (!fault) return undefined;
  return {
    code: 'wrong-framing',
    what: `The server printed \`${quoteLine(line!)}\`. ${fault.what}`,
    advice: fault.advice,
  };
}

/** A server that answers, but on stderr. */
function messagesOnStderr({ exit, stdout, stderr, opened, hasSent }: Printed): PrintedCause | undefined {
  const line = stderr.find((one) => /^\s*\{.*"jsonrpc"\s*:\s*"2\.0"/.test(one) && /"(?:result|error)"\s*:/.test(one));
  if (line === undefined || exit || stdout.length > 0 || opened || hasSent) return undefined;
  return {
    code: 'messages-on-stderr',
    what: `It printed a message on stderr: \`${quoteLine(line)}\`. Clients read messages on stdout.`,
    advice: 'Write messages to stdout, and only logs to stderr.',
  };
}

function containerTerminal({ command, stderr, stdout }: Printed): PrintedCause | undefined {
  const container = containerIn(command);
  const isRefused = [...stderr, ...stdout].some((line) =>
    /the input device is not a TTY|cannot enable tty/i.test(line),
  );
  if (!container || !isRefused) return undefined;
  return {
    code: 'container-tty',
    what: 'The container was started with `-t`, but a server on stdio has no terminal.',
    advice: `Write \`${container.shown} -i\` instead of \`-it\`.`,
  };
}

function containerInBackground({ command, opened, hasSent, reason }: Printed): PrintedCause | undefined {
  const container = containerIn(command);
  if (!container?.isDetached || opened || hasSent || reason?.isError) return undefined;
  return {
    code: 'container-in-background',
    what: 'The container was started with `-d`, so it runs in the background, without stdin and stdout.',
    advice: `Write \`${container.shown} -i\` instead of \`-d\`.`,
  };
}

/** Without `-i`, the container's stdin is at its end from the start. */
function containerWithoutStdin({ command, opened, hasSent, reason }: Printed): PrintedCause | undefined {
  const container = containerIn(command);
  if (!container || container.isInteractive || opened || hasSent || reason?.isError) return undefined;
  return {
    code: 'container-without-stdin',
    what: 'The container was started without `-i`, so the server in it can’t read messages on stdin.',
    advice: `Write \`${container.shown} -i …\`.`,
  };
}

function containerIn([command = '', ...args]: readonly string[]) {
  return containerCommand(command, args);
}

const MODULE = /No module named ['"]?([\w.]+)['"]?/;
const PYTHON = /(?:^|[\\/])(?:python[\d.]*|pypy[\d.]*|py)(?:\.exe)?$/i;
const UV = /(?:^|[\\/])uvx?(?:\.exe)?$/i;
/** Characters of a command line that is repeated with another interpreter. */
const REPEATED_CHARS = 100;

/** A package that the interpreter does not have. Names the interpreter, and one that may have it. */
function moduleMissing({
  exit,
  reason,
  command: [command = '', ...args],
  program,
  venv,
}: Printed): PrintedCause | undefined {
  const [, module] = MODULE.exec(reason?.text ?? '') ?? [];
  if (!exit || module === undefined || !reason) return undefined;
  const [name = module] = module.split('.');
  const code = 'module-missing';
  if (reason.text.includes('is not a package')) {
    const what = `Python found a file named \`${name}.py\` instead of the package \`${name}\`.`;
    return { code, what, advice: 'Rename that file.' };
  }
  if (reason.text.includes('cannot be directly executed')) {
    const what = `Python found the package \`${name}\`, but it has no \`__main__\` to run.`;
    return { code, what, advice: 'Name the module that starts the server after `-m`, or run its script.' };
  }
  // `python -m server` names the program itself.
  if (args[args.indexOf('-m') + 1] === module && args.includes('-m')) {
    const what = `${nameOf(program, command)} has no module \`${module}\`.`;
    return { code, what, advice: 'Check the name after `-m`, the working directory, and that it is installed there.' };
  }
  const what = `${nameOf(program, command)} ran the server, and it does not have the package \`${name}\`.`;
  if (UV.test(command)) return { code, what, advice: `Add it: \`uv add ${name}\`, or \`uv run --with ${name} …\`.` };
  if (!PYTHON.test(command)) return { code, what, advice: `Install \`${name}\` for that interpreter.` };
  const words = args.join(' ');
  const rest = words.length > REPEATED_CHARS ? '…' : words;
  const other = venv === undefined ? undefined : `\`${venv} ${rest}\``;
  const byUv = `\`uv run ${other === undefined ? `--with ${name} ` : ''}${rest}\``;
  return {
    code,
    what,
    advice: other === undefined ? `Run ${byUv}, or install \`${name}\` there.` : `Run ${other}, or ${byUv}.`,
  };
}

function nameOf(program: string | undefined, command: string): string {
  if (program !== undefined) return `The interpreter \`${program}\``;
  return PYTHON.test(command) ? `The interpreter \`${command}\`` : 'The Python interpreter';
}

const SCRIPTS = /(?:^|[\\/])(?:node|bun|deno|tsx|npx|npm|pnpm|yarn)(?:\.exe|\.cmd)?$/i;

/** A program that reached its end. */
function endedWithoutServing({
  exit,
  opened,
  hasSent,
  reason,
  stdout,
  stderr,
  command,
}: Printed): PrintedCause | undefined {
  if (exit?.code !== 0 || opened || hasSent || reason?.isError) return undefined;
  const printed = [...stdout, ...stderr].some((line) => line.trim() !== '');
  return {
    code: 'ended-without-serving',
    what: `It ${printed ? 'reported no error' : 'printed nothing'}, so its program reached its end.`,
    advice: servingAdvice(command),
  };
}

function servingAdvice([command = '', ...args]: readonly string[]): string {
  const isPython = PYTHON.test(command) || UV.test(command) || args.some((word) => word.endsWith('.py'));
  if (isPython)
    return 'Check that it calls `mcp.run()` at the end of the script, also when it is not run as `__main__`.';
  if (SCRIPTS.test(command)) return 'Check that it awaits `server.connect(new StdioServerTransport())`.';
  return 'Check that the command starts the server, and that it waits for messages on stdin.';
}
