import type { Finding } from './finding';

/** The output of a process, without colours, and how it ended. */
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
}

/** A cause that the lines of a process name, with a stable code. */
export type PrintedCause = Pick<Finding, 'what' | 'advice'> & { readonly code: string };

/** Causes that what a process printed shows. The first one that matches is the verdict. */
const PRINTED_CAUSES: readonly ((printed: Printed) => PrintedCause | undefined)[] = [
  // Without `-i`, the container's stdin is at its end from the start.
  ({ command: [program = '', verb, ...args] }) =>
    CONTAINERS.test(program) && verb === 'run' && !args.some((word) => INTERACTIVE.test(word))
      ? {
          code: 'container-without-stdin',
          what: 'The container was started without `-i`, so the server in it can’t read messages on stdin.',
          advice: `Write \`${program.replace(/^.*[/\\]/, '')} run -i …\`.`,
        }
      : undefined,
  ({ stderr, stdout }) =>
    [...stderr, ...stdout].some((line) => /the input device is not a TTY/i.test(line))
      ? {
          code: 'container-tty',
          what: 'The container was started with `-t`, but a server on stdio has no terminal.',
          advice: 'Write `-i` instead of `-it`.',
        }
      : undefined,
];

const CONTAINERS = /(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$/i;
/** Matches `-i` alone or among other short options, and its long form. */
const INTERACTIVE = /^(?:-[a-z]*i[a-z]*|--interactive)(?:=true)?$/i;

/** Returns the first cause that matches. */
export function causeOf(printed: Printed): PrintedCause | undefined {
  for (const find of PRINTED_CAUSES) {
    const found = find(printed);
    if (found) return found;
  }
  return undefined;
}
