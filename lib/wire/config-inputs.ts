import { isObject, type JsonObject, own } from '@/lib/json/value';

/** A value that a config asks the user for, as `${input:id}` in VS Code. */
export interface ConfigInput {
  readonly id: string;
  /** How people call it. Only of a bundle. */
  readonly title?: string;
  /** '' for none. */
  readonly description: string;
  readonly default?: string;
  /** Choices. Without them, any text is accepted. */
  readonly options?: readonly InputOption[];
  /**
   * Hidden while it is typed, and masked in recordings. True for passwords, and for inputs that the config does not
   * describe.
   */
  readonly secret: boolean;
  /** May stay empty. What has no other value is then left out. Only of a server.json or a bundle. */
  readonly optional?: true;
  /** Has several values, one per line. As a word of its own it becomes a word for each. Only of a bundle. */
  readonly several?: true;
  /** Editor command that would produce the value. Here the user must enter it. */
  readonly command?: string;
}

/** One choice. */
export interface InputOption {
  readonly value: string;
  readonly label: string;
}

/** The answer to a {@link ConfigInput}. */
export interface GivenInput {
  readonly id: string;
  readonly value: string;
  /** Masked in recordings. */
  readonly secret?: true;
  /** See {@link ConfigInput}. */
  readonly several?: true;
}

/** Inputs of a config, and answers in a command. Real configs have a few. */
export const MOST_INPUTS = 200;
/** Choices of an input that are read. */
const MOST_OPTIONS = 1000;
/** Characters of a title that are shown: a line of a form. */
const TITLE_CHARS = 100;
/** Characters of a description that are shown: a few lines of a form. */
const DESCRIPTION_CHARS = 1000;

/** Reads the `inputs` of a config by id. Leaves out invalid ones, whose placeholders become undeclared inputs. */
export function readInputs(value: unknown): ReadonlyMap<string, ConfigInput> {
  const rows = Array.isArray(value) ? value.slice(0, MOST_INPUTS) : [];
  return new Map(rows.flatMap((row) => readInput(row) ?? []).map((input) => [input.id, input]));
}

/** Returns the input for a placeholder that the config does not describe. */
export function undeclaredInput(id: string): ConfigInput {
  return { id, description: '', secret: true };
}

function readInput(value: unknown): ConfigInput | undefined {
  const id = isObject(value) && own(value, 'id');
  if (!isObject(value) || typeof id !== 'string') return undefined;
  const title = own(value, 'title');
  const described = own(value, 'description');
  const preset = own(value, 'default');
  const command = own(value, 'command');
  const optional = own(value, 'optional') === true;
  const choices = own(value, 'type') === 'pickString' ? readOptions(own(value, 'options')) : [];
  const options = optional && choices.length > 0 ? [NOT_SET, ...choices] : choices;
  const runs = own(value, 'type') === 'command';
  return {
    id,
    ...(typeof title === 'string' && title.trim() !== '' && { title: title.slice(0, TITLE_CHARS) }),
    description: typeof described === 'string' ? described.slice(0, DESCRIPTION_CHARS) : '',
    ...(typeof preset === 'string' && { default: preset }),
    ...(options.length > 0 && { options }),
    secret: runs || own(value, 'password') === true,
    ...(optional && { optional }),
    ...(own(value, 'several') === true && { several: true as const }),
    ...(runs && { command: typeof command === 'string' ? command.slice(0, DESCRIPTION_CHARS) : '' }),
  };
}

/** The choice that leaves out an optional value. */
const NOT_SET: InputOption = { value: '', label: 'not set' };

/** Reads choices, which VS Code accepts as strings and as objects with a label. */
function readOptions(value: unknown): readonly InputOption[] {
  const rows = Array.isArray(value) ? value.slice(0, MOST_OPTIONS) : [];
  return rows.flatMap((row) => {
    if (typeof row === 'string') return [{ value: row, label: row }];
    return isObject(row) ? labelled(row) : [];
  });
}

function labelled(row: JsonObject): readonly InputOption[] {
  const text = own(row, 'value');
  const label = own(row, 'label');
  return typeof text === 'string' ? [{ value: text, label: typeof label === 'string' ? label : text }] : [];
}

/** Typed answers by input id. */
export type Answers = ReadonlyMap<string, string>;

/** Returns the text in the field of an input: the typed text, the default, or the first choice. */
export function answerTo({ id, default: preset, options }: ConfigInput, answers: Answers): string {
  const typed = answers.get(id) ?? preset ?? '';
  return options?.every(({ value }) => value !== typed) ? options[0]!.value : typed;
}

/** Returns the inputs that still need an answer. */
export function missingInputs(inputs: readonly ConfigInput[], answers: Answers): readonly ConfigInput[] {
  return inputs.filter((input) => !input.optional && answerTo(input, answers) === '');
}

/** Returns the answers that a form sends; undefined while an answer is empty that has to be given. */
export function givenInputs(inputs: readonly ConfigInput[], answers: Answers): readonly GivenInput[] | undefined {
  if (missingInputs(inputs, answers).length > 0) return undefined;
  return inputs.map((input) => ({ id: input.id, value: answerTo(input, answers), ...flagsOf(input) }));
}

/** Returns the members that an answer takes over from its input. */
export function flagsOf({ secret, several }: ConfigInput): Pick<GivenInput, 'secret' | 'several'> {
  return { ...(secret && { secret: true }), ...(several && { several: true }) };
}

const INPUT = /\$\{input:([^{}$]+)\}/g;

/** Returns the ids of the inputs among `${…}` names. */
export function inputIds(placeholders: readonly string[]): readonly string[] {
  return placeholders.flatMap((name) => (name.startsWith('input:') ? [name.slice('input:'.length)] : []));
}

/** Replaces each answered `${input:id}`; others stay as written. Placeholders in an answer are not replaced. */
export function fillInputs(text: string, given: readonly GivenInput[] = []): string {
  if (given.length === 0) return text;
  return text.replace(INPUT, (whole, id: string) => given.find((one) => one.id === id)?.value ?? whole);
}

/** An answer, as {@link filledWords} uses it. */
type Answered = Pick<GivenInput, 'value' | 'several'>;

/** Returns true if a text has inputs, all of them optional and empty. `answerTo` returns no other empty answers. */
export function isLeftOut(text: string, answerTo: (id: string) => Answered | undefined): boolean {
  const ids = Array.from(text.matchAll(INPUT), (match) => match[1]!);
  return ids.length > 0 && ids.every((id) => answerTo(id)?.value === '');
}

/**
 * Fills the words of a command. Leaves out those that {@link isLeftOut} says, and makes several of a word that is an
 * input with several values.
 */
export function filledWords(
  words: readonly string[],
  fill: (word: string) => string,
  answerTo: (id: string) => Answered | undefined,
): readonly string[] {
  return words.flatMap((word) => {
    if (isLeftOut(word, answerTo)) return [];
    const id = /^\$\{input:([^{}$]+)\}$/.exec(word)?.[1];
    const answer = id === undefined ? undefined : answerTo(id);
    return answer?.several ? linesOf(answer.value) : [fill(word)];
  });
}

function linesOf(value: string): readonly string[] {
  return value.split(/\r?\n/).filter((line) => line !== '');
}

/** Returns the `${…}` names in `texts` that {@link fillInputs} replaces. */
export function filledInputs(texts: readonly string[], given: readonly GivenInput[] = []): readonly string[] {
  const named = texts.flatMap((text) => Array.from(text.matchAll(INPUT), (match) => match[1]!));
  return [...new Set(named)].filter((id) => given.some((one) => one.id === id)).map((id) => `input:${id}`);
}

/** Returns the answers to secret inputs. */
export function secretInputs(given: readonly GivenInput[] = []): readonly string[] {
  return given.flatMap(({ value, secret, several }) => (secret ? [value, ...(several ? linesOf(value) : [])] : []));
}
