import { quote } from 'shlex';
import type { UrlLaunch } from '@/lib/hub/url-launch';
import { ConnectionError } from '@/lib/transports/transport';
import type { TapAction } from '@/lib/wire/api';
import { type StdioTarget, sameCommand, type UrlTarget } from '@/lib/wire/command';
import { isDangerousName } from '@/lib/wire/dangerous-names';
import { sha256Of } from '@/proxy/files/native-codecs';
import type { Launch, Preset, StdioLaunch } from './launch';

/** Characters of the longest question. Nobody reads more, and a program could hide at its end. */
const QUESTION_CHARS = 4000;
/** Commands that may wait at a time, so that a page can't bury one question under others. */
const WAITING_COMMANDS = 3;

/** How to ask, and whom to tell. */
interface Asking {
  /** The servers that the terminal named. Their commands need no confirmation as long as nothing is changed. */
  readonly given: readonly Preset[];
  /** Asks in the terminal. Resolves with true for yes. Absent: there is no terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
  /** Receives the number of commands that wait for an answer, whenever it changes. */
  onWaiting(commands: number): void;
}

/**
 * Asks in the terminal before a command that came from the page starts, so that a script in the page is not enough to
 * run a program. Asks once for each command, arguments, directory and variables, whatever the answer is.
 */
export class CommandConfirmation {
  readonly #asking: Asking;
  readonly #answers = new Map<string, Promise<boolean>>();
  #waiting = 0;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Resolves if the command may start. Rejects with a ConnectionError that says why it may not. */
  async confirm(launch: StdioLaunch, target: StdioTarget): Promise<void> {
    const key = keyOf(launch);
    if (this.#isGiven(target)) this.#answers.set(key, Promise.resolve(true));
    const answer = this.#answers.get(key) ?? this.#ask(questionOf(launch), key);
    if (!(await answer)) throw new ConnectionError(REFUSED);
  }

  /** Resolves if a server at a URL may get what is in the key and token files that its settings name. Asks once. */
  async confirmSecretFiles({ url, client }: UrlLaunch, { base }: UrlTarget): Promise<void> {
    const files = [client.keyFile, client.tokenFile].filter((path) => path !== undefined);
    const given = this.#asking.given.find(({ shown }) => shown.id === base)?.shown.target;
    const own = given === undefined || given.transport === 'stdio' ? undefined : given;
    const isGiven =
      own?.url === url && files.every((path) => [own.client?.keyFile, own.client?.tokenFile].includes(path));
    if (files.length === 0 || isGiven) return;
    const key = `secrets ${JSON.stringify([url, files])}`;
    const question = `A page asks to authorize with ${files.map(shownWord).join(' and ')} at the server:\n  ${shownWord(url)}\nAllow it? [y/N] `;
    if (!(await (this.#answers.get(key) ?? this.#ask(question, key)))) throw new ConnectionError(REFUSED);
  }

  /** Resolves if a page may write this file. Asks once. Rejects with a ConnectionError that says why it may not. */
  async confirmFile(path: string): Promise<void> {
    const key = `file ${path}`;
    const question = `A page asks to write pinned calls, which \`mcp-inspect test\` plays, to this file:\n  ${shownWord(path)}\nAllow it? [y/N] `;
    if (!(await (this.#answers.get(key) ?? this.#ask(question, key)))) throw new ConnectionError(FILE_REFUSED);
  }

  /** Resolves if a page may make this change of a host’s config. Asks once. Rejects with a ConnectionError. */
  async confirmConfig(path: string, server: string, action: TapAction, digest: string): Promise<void> {
    const key = `config ${digest}`;
    const question = `A page asks to ${action} the server ${shownWord(server)}, so that its host ${STARTS[action]}, in this config:\n  ${shownWord(path)}\nAllow it? [y/N] `;
    if (!(await (this.#answers.get(key) ?? this.#ask(question, key)))) throw new ConnectionError(CONFIG_REFUSED);
  }

  /** Returns true for a server that the terminal named, exactly as it is there. */
  #isGiven({ base, env = {}, inputs = [], ...target }: StdioTarget): boolean {
    const preset = this.#asking.given.find(({ shown }) => shown.id === base);
    if (!preset || Object.keys(env).length > 0 || inputs.length > 0) return false;
    return sameCommand(preset.shown.target, target);
  }

  /** Resolves if a page may turn on re-run on save for a server. Rejects with a ConnectionError. */
  async confirmWatch(launch: Launch): Promise<void> {
    const key = `watch ${launch.transport === 'stdio' ? keyOf(launch) : launch.url}`;
    if (!(await (this.#answers.get(key) ?? this.#ask(watchQuestionOf(launch), key))))
      throw new ConnectionError(REFUSED);
  }

  #ask(question: string, key: string): Promise<boolean> {
    const { ask, onWaiting } = this.#asking;
    if (!ask) throw new ConnectionError(NO_TERMINAL);
    if (question.length > QUESTION_CHARS) throw new ConnectionError(TOO_LONG);
    if (this.#waiting >= WAITING_COMMANDS) throw new ConnectionError(TOO_MANY);
    onWaiting(++this.#waiting);
    const answer = ask(question).finally(() => onWaiting(--this.#waiting));
    this.#answers.set(key, answer);
    return answer;
  }
}

/** Returns a digest of everything that decides what runs. */
function keyOf({ command, args, cwd, extras }: StdioLaunch): string {
  const variables = Object.entries(extras).sort(([one], [other]) => (one < other ? -1 : 1));
  return sha256Of(Buffer.from(JSON.stringify([command, args, cwd, variables])));
}

/**
 * Returns the question. It has the real words, secrets included, because a program could hide in a masked part. Of the
 * variables it has the names, and the values of those that run code.
 */
function questionOf({ command, args, cwd, extras }: StdioLaunch): string {
  const lines = ['A page asks to start this program:', ...programLines({ command, args, cwd })];
  const variables = Object.entries(extras).map(([name, value]) =>
    isDangerousName(name) ? `${shownWord(name)}=${shownWord(value)} (it can run code)` : shownWord(name),
  );
  if (variables.length > 0) lines.push(`with ${variables.join(', ')}`);
  return `${lines.join('\n')}\nStart it? [y/N] `;
}

/** Returns the question before the files of a server are watched. */
function watchQuestionOf(launch: Launch): string {
  const lines =
    launch.transport === 'stdio'
      ? programLines(launch)
      : [`  the connection to ${shownWord(new URL(launch.url).host)}`];
  return `A page asks to watch source files, and to restart this at each save:\n${lines.join('\n')}\nAllow it? [y/N] `;
}

function programLines({ command, args, cwd }: Pick<StdioLaunch, 'command' | 'args' | 'cwd'>): readonly string[] {
  return [`  ${[command, ...args].map(shownWord).join(' ')}`, `in ${shownWord(cwd)}`];
}

/** Quotes a word. Line breaks and invisible characters are written out, so that the question can't be forged. */
function shownWord(word: string): string {
  return quote(word).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

const NO_TERMINAL = {
  code: 'no-terminal',
  message: 'mcp-inspect has no terminal to confirm this in, so nothing was done.',
  advice: 'Run mcp-inspect in a terminal, name the command there, or omit `--page confirm-commands`.',
};

const REFUSED = {
  code: 'not-confirmed',
  message: 'This was refused in the terminal, so nothing was started.',
  advice: 'Restart mcp-inspect to be asked again.',
};

const FILE_REFUSED = {
  code: 'not-confirmed',
  message: 'Writing the file was refused in the terminal.',
  advice: 'Restart mcp-inspect to be asked again.',
};

const CONFIG_REFUSED = {
  code: 'not-confirmed',
  message: 'Changing the config was refused in the terminal, so it is as it was.',
  advice: 'Restart mcp-inspect to be asked again.',
};

/** The effect of a change on the host. */
const STARTS: Readonly<Record<TapAction, string>> = {
  tap: 'starts it through mcp-inspect',
  untap: 'starts it without mcp-inspect',
};

const TOO_LONG = {
  code: 'too-long-to-confirm',
  message: `The command is longer than ${QUESTION_CHARS} characters, which nobody can check in a terminal.`,
  advice: 'Move its arguments into a script, or name the command in the terminal.',
};

const TOO_MANY = {
  code: 'too-many-to-confirm',
  message: 'Other commands still wait for confirmation in the terminal.',
  advice: 'Answer those first, then connect again.',
};
