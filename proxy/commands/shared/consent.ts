import { relative } from 'node:path';
import { isFailure } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import { plainText } from '@/proxy/cli/plain-text';
import { type DecisionStore, type FoundFile, keptDecisions, type NeedsConsent } from '@/proxy/files/decisions';
import { type Asking, terminalQuestions } from './ask-inputs';

// A cloned repository is a stranger. A file that is found where a command runs may show more, mask more and refuse
// more. For everything else a person agrees to its content once, or names it on the command line.

/** The question to a person about a found file. */
interface Consent {
  /** Says what the file does, after its name. */
  readonly intro: string;
  readonly question: string;
  /** The part of the file that needs consent, before the name of the file. */
  readonly unused: string;
  /** The option that names the file, and so uses it without a question. */
  readonly option: string;
}

const CONSENTS: Readonly<Record<NeedsConsent, Consent>> = {
  servers: {
    intro: 'starts these servers:',
    question: 'Do you trust this project, and want to start them? (y/N) ',
    unused: '',
    option: '--config ',
  },
  settings: {
    intro: 'sets these options, severities and exceptions:',
    question: 'Do you trust this project, and want to use them? (y/N) ',
    unused: 'options, severities and exceptions in ',
    option: '--settings ',
  },
  'kept-values': {
    intro: 'keeps values that would be masked:',
    question: 'Do you trust this project, and want to keep them? (y/N) ',
    unused: '`keep` of ',
    option: '--policy ',
  },
  calls: {
    intro: 'sends these requests:',
    question: 'Do you trust this project, and want to send them? (y/N) ',
    unused: '',
    option: '--pins ',
  },
};

let own: Asking | undefined;

/** Returns how to ask at the terminal of this process. */
export function atTerminal(): Asking {
  own ??= { ask: terminalQuestions(), printNote: (line) => void process.stderr.write(`${line}\n`) };
  return own;
}

/** The answers of this run. Nobody is asked twice, also where no decision can be kept. */
const answers = new WeakMap<Asking, Map<string, Promise<boolean>>>();

/** The texts to which a person agreed in this run, by path. No other text of these files may be used. */
const agreedTexts = new Map<string, string>();

/** Allows only this text of a file from now on. */
export function allowOnly(path: string, text: string): void {
  agreedTexts.set(path, text);
}

/** Throws an ExitError if a person agreed to another text of this file. */
export function requireAgreed(path: string, shown: string, text: string): void {
  if ((agreedTexts.get(path) ?? text) === text) return;
  throw usageError(`\`${shown}\` has changed since you agreed to it: start again, or name it.`);
}

/**
 * Asks whether a found file may do what needs consent, once for each content. `shown` has a line for each thing it
 * does. Resolves with false, and says why, if not.
 */
export function mayUse(
  use: NeedsConsent,
  file: FoundFile,
  shown: readonly string[],
  asking: Asking = atTerminal(),
  store: DecisionStore = keptDecisions(),
): Promise<boolean> {
  const known = answers.get(asking) ?? new Map<string, Promise<boolean>>();
  answers.set(asking, known);
  const key = `${use} ${file.digest}`;
  const answer = known.get(key) ?? askOnce(use, file, shown, asking, store);
  known.set(key, answer);
  return answer;
}

async function askOnce(
  use: NeedsConsent,
  file: FoundFile,
  shown: readonly string[],
  { ask, printNote }: Asking,
  store: DecisionStore,
): Promise<boolean> {
  const { intro, question, unused, option } = CONSENTS[use];
  const instead = `To use it, add \`${option}${relative(process.cwd(), file.path)}\`.`;
  const known = await store.read(file, use);
  if (known !== undefined) {
    if (!known) printNote(`mcp-inspect: Not using ${unused}\`${file.path}\`, as you decided. ${instead}`);
    return known;
  }
  if (!ask) {
    printNote(
      `mcp-inspect: Not using ${unused}\`${file.path}\`: without a terminal, or with CI set, it can’t ask whether you trust it. ${instead}`,
    );
    return false;
  }
  printNote(`\`${file.path}\` ${intro}`);
  // All of it: what is not shown, nobody agrees to. A line must not look like another, nor move the cursor.
  for (const line of shown) printNote(`  ${plainText(line).replace(/[\n\t]/g, ' ')}`);
  const answer = await ask(question, false);
  const decision = /^\s*y(?:es)?\s*$/i.test(answer ?? '');
  // The next start asks again if nobody answered.
  if (answer !== undefined) {
    await store.keep(file, use, decision).catch((error: unknown) => {
      if (!isFailure(error)) throw error;
      printNote(`mcp-inspect: ${error.message} ${error.advice}`);
    });
  }
  return decision;
}
