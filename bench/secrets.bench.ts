/**
 * Secrets that stay in what is shared, ordinary text that is masked, rows to review, and time: for this version's
 * redactor, the one before the table of vendor tokens, and secretlint. The corpus is made from a seed (`--seed=N`; by
 * default another one each run), which also chooses its templates; `--corpora=N` makes so many, with the next seeds.
 * `--list` prints each leak and each wrong mask of this version, but not of the half that is kept back.
 * `--baseline=COMMIT` or `--baseline=FOLDER` compares with another version. `--mechanisms` prints what each mechanism
 * catches that no other does, and its lines.
 */
import { fromRoot, quantile } from './inspected';
import { type Engine, earlierRedactor, redactorWithout, secretlint, thisRedactor } from './secrets/engines';
import { type HarmlessRecording, harmlessLists, harmlessTexts } from './secrets/harmless';
import { ENCODED, KEY_FILES } from './secrets/in-bytes';
import { IN_COMMANDS, IN_ENVIRONMENT } from './secrets/in-commands';
import { IN_HEADERS, IN_JSON } from './secrets/in-data';
import { IN_FILES } from './secrets/in-files';
import { IN_ERRORS, LOG_OBJECTS, ON_STDERR } from './secrets/in-output';
import { IN_SETTINGS, SHORT_OR_LETTERS } from './secrets/in-settings';
import { IN_SYSTEMS } from './secrets/in-systems';
import { IN_PATHS, IN_QUERIES, IN_USERINFO } from './secrets/in-urls';
import { NAMELESS, PERSONAL, PROSE } from './secrets/in-words';
import { IN_WRAPPINGS } from './secrets/in-wrappings';
import { LATE } from './secrets/late-names';
import { linesOf, MECHANISMS } from './secrets/mechanisms';
import { halvesOf, isLeaked, type PlantedText, plantedTexts, readable, type SecretClass } from './secrets/planted';
import { OF_VENDORS } from './secrets/vendor-keys';

const CLASSES: readonly SecretClass[] = [
  IN_JSON,
  IN_HEADERS,
  IN_ENVIRONMENT,
  IN_COMMANDS,
  IN_QUERIES,
  IN_PATHS,
  IN_USERINFO,
  IN_SETTINGS,
  SHORT_OR_LETTERS,
  OF_VENDORS,
  ENCODED,
  ON_STDERR,
  IN_ERRORS,
  LOG_OBJECTS,
  LATE,
  PROSE,
  KEY_FILES,
  ...halvesOf('files', IN_FILES),
  ...halvesOf('systems', IN_SYSTEMS),
  ...halvesOf('wrappings', IN_WRAPPINGS),
  NAMELESS,
  PERSONAL,
];

/** Most of the secrets that may leak, the ones apart not counted. */
const LEAK_BAR = 0.04;
/** Most places of the harmless texts that may be masked. */
const WRONG_MASK_BAR = 8;
/** Most rows to review for the harmless texts. */
const ROWS_BAR = 30;
const TIMED_ROUNDS = 5;

const flag = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const seed = Number(flag('seed') ?? Math.floor(Math.random() * 1_000_000));
const listed = process.argv.includes('--list');

const corpora = Number(flag('corpora') ?? 1);
const seeds = Array.from({ length: corpora }, (_, at) => seed + at);

const planted = seeds.flatMap((one) => CLASSES.flatMap((each) => plantedTexts(each, one)));
const HARMLESS: readonly (readonly [id: string, texts: readonly HarmlessRecording[]])[] = [
  ['harmless texts', seeds.flatMap(harmlessTexts)],
  ['lists, in view', seeds.flatMap((one) => harmlessLists(one, 0))],
  ['lists, kept back', seeds.flatMap((one) => harmlessLists(one, 1))],
];
const harmless = HARMLESS.flatMap(([, texts]) => texts);
const everything = [...planted, ...harmless];
const bytes = everything.flatMap(({ frames }) => frames).reduce((sum, frame) => sum + frame.bytes.length, 0);

const engines: Engine[] = [await thisRedactor()];
const earlier = await earlierRedactor(flag('baseline'));
if (earlier) engines.push(earlier);
else console.log('There is no earlier redactor to compare with: its commit is not in this clone.');
engines.push(await secretlint());

/** Placeholders, except those of personal data. */
const MASKED = /\[redacted:(?!email:|home-path:)[a-z-]+:/g;

/** Masks and rows in harmless texts. */
interface Harm {
  masks: number;
  texts: number;
  rows: number;
}

interface Figures {
  readonly leaked: ReadonlyMap<SecretClass, number>;
  /** By the id of the harmless texts. */
  readonly harm: ReadonlyMap<string, Harm>;
  readonly rowsAtOnce: number;
}

const KEPT_BACK = 'kept back';

async function measure({ share }: Engine, report: (line: string) => void): Promise<Figures> {
  const leaked = new Map<SecretClass, number>();
  for (const text of planted) {
    const shared = await share(text.frames, text.given);
    if (!isLeaked(text, shared.texts)) continue;
    const { id } = text.from;
    leaked.set(text.from, (leaked.get(text.from) ?? 0) + 1);
    if (id.endsWith(KEPT_BACK)) continue;
    report(`leak, ${id}: ${text.secrets.join(' or ')}\n    in ${shownLeak(text, shared.texts)}`);
  }
  const harm = new Map<string, Harm>();
  for (const [id, texts] of HARMLESS) {
    const one = { masks: 0, texts: 0, rows: 0 };
    harm.set(id, one);
    for (const { name, frames } of texts) {
      const shared = await share(frames, []);
      const found = shared.texts.flatMap((text) =>
        Array.from(text.matchAll(MASKED), ({ index }) => text.slice(Math.max(0, index - 60), index + 40)),
      );
      one.masks += found.length;
      if (found.length > 0) one.texts++;
      one.rows += shared.rows;
      if (id.endsWith(KEPT_BACK)) continue;
      if (shared.rows > 0) report(`${shared.rows} rows, ${name}`);
      for (const around of found) report(`wrong mask, ${name}: ${around}`);
    }
  }
  const all = harmless.flatMap(({ frames }) => frames).map((frame, at) => ({ ...frame, seq: at + 1 }));
  return { leaked, harm, rowsAtOnce: (await share(all, [])).rows };
}

function shownLeak({ secrets }: PlantedText, shared: readonly string[]): string {
  const text = readable(shared).replaceAll('\n', '⏎');
  const at = Math.max(0, ...secrets.map((secret) => text.indexOf(secret)));
  return text.slice(Math.max(0, at - 90), at + 130);
}

/** Returns the milliseconds per megabyte of each engine for everything in one recording. They take turns. */
async function time(): Promise<number[]> {
  const times = engines.map((): number[] => []);
  const frames = everything.flatMap((text) => text.frames).map((frame, at) => ({ ...frame, seq: at + 1 }));
  for (let round = 0; round < TIMED_ROUNDS; round++) {
    for (const [at, { share }] of engines.entries()) {
      const begun = performance.now();
      await share(frames, []);
      times[at]!.push(((performance.now() - begun) * 1e6) / bytes);
    }
  }
  return times.map((all) => quantile(all, 0.5));
}

const figures: Figures[] = [];
for (const [at, engine] of engines.entries()) {
  figures.push(await measure(engine, (line) => listed && at === 0 && console.log(line)));
}
const times = await time();

function printRow(name: string, size: number | string, cells: readonly (number | string)[]): void {
  const columns = cells.map((cell) => String(cell).padStart(18)).join('');
  console.log(`${name.padEnd(28)}${String(size).padStart(6)}${columns}`);
}

const printFigures = (name: string, size: number | string, cell: (one: Figures) => number | string) =>
  printRow(name, size, Array.from(figures, cell));
const texts = (classes: readonly SecretClass[]) => classes.reduce((sum, { count }) => sum + count * corpora, 0);
const leaks = (classes: readonly SecretClass[], { leaked }: Figures) =>
  classes.reduce((sum, each) => sum + (leaked.get(each) ?? 0), 0);
const printLeaks = (name: string, classes: readonly SecretClass[]) =>
  printFigures(name, texts(classes), (one) => leaks(classes, one));
/** Returns the mean of the corpora, rounded. */
const perCorpus = (count: number) => Math.round((10 * count) / corpora) / 10;

const counted = CLASSES.filter(({ apart }) => !apart);
const isOf = (half: string) => counted.filter(({ id }) => id.endsWith(half));
const leakShare = (classes: readonly SecretClass[], one: Figures) => leaks(classes, one) / texts(classes);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const sumOf = (what: keyof Harm, { harm }: Figures) => [...harm.values()].reduce((sum, one) => sum + one[what], 0);
const names = engines.map(({ name }) => name);

console.log(`seeds ${seeds.join(', ')}: ${planted.length + harmless.length} texts, ${(bytes / 1e6).toFixed(2)} MB`);
printRow('leaks', 'texts', names);
for (const each of counted) printLeaks(each.id, [each]);
printLeaks('all', counted);
printFigures('share', '', (one) => percent(leakShare(counted, one)));
for (const half of ['in view', KEPT_BACK])
  printFigures(`share of those ${half}`, '', (one) => percent(leakShare(isOf(half), one)));
console.log('\nleaks of what nothing marks as a secret');
for (const each of CLASSES.filter(({ apart }) => apart)) printLeaks(each.id, [each]);
console.log(`\nwrong masks in harmless texts${corpora > 1 ? ', mean of the corpora' : ''}`);
for (const [id, { length }] of HARMLESS) {
  printFigures(id, length / corpora, ({ harm }) => {
    const { masks, texts: masked } = harm.get(id)!;
    return `${perCorpus(masks)} in ${perCorpus(masked)}`;
  });
}
printFigures('rows to review', '', (one) => perCorpus(sumOf('rows', one)));
printFigures('the same, in one recording', '', ({ rowsAtOnce }) => perCorpus(rowsAtOnce));
printRow('ms per MB', '', Array.from(times, Math.round));
console.log(`\nbars: ${LEAK_BAR * 100} % of the secrets, ${WRONG_MASK_BAR} wrong masks, ${ROWS_BAR} rows`);

const [ours] = figures as [Figures];
if (process.argv.includes('--mechanisms')) {
  console.log('\nwithout a mechanism, as compared with all');
  printRow('', 'lines', ['more leaks', 'wrong masks']);
  const [leaked, masks] = [leaks(counted, ours), sumOf('masks', ours)];
  for (const mechanism of MECHANISMS) {
    const less = await measure(await redactorWithout(mechanism), () => {});
    const change = [leaks(counted, less) - leaked, sumOf('masks', less) - masks];
    printRow(mechanism.name, linesOf(mechanism, fromRoot()), change);
  }
}
if (
  leakShare(counted, ours) > LEAK_BAR ||
  perCorpus(sumOf('masks', ours)) > WRONG_MASK_BAR ||
  perCorpus(sumOf('rows', ours)) > ROWS_BAR
) {
  process.exitCode = 1;
}
