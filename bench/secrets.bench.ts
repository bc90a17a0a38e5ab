/**
 * Secrets that stay in what is shared, ordinary text that is masked, rows to review, and time: for this version's
 * redactor, the one before the table of vendor tokens, and secretlint. The corpus is made from a seed (`--seed=N`),
 * which also chooses its templates; `--corpora=N` makes so many, with the next seeds. `--list` prints each leak and
 * each wrong mask of this version. `--baseline=COMMIT` or `--baseline=FOLDER` compares with another version.
 */
import { quantile } from './inspected';
import { type Engine, earlierRedactor, secretlint, thisRedactor } from './secrets/engines';
import { harmlessTexts } from './secrets/harmless';
import { ENCODED, KEY_FILES } from './secrets/in-bytes';
import { IN_COMMANDS, IN_ENVIRONMENT } from './secrets/in-commands';
import { IN_HEADERS, IN_JSON } from './secrets/in-data';
import { IN_ERRORS, LOG_OBJECTS, ON_STDERR } from './secrets/in-output';
import { IN_SETTINGS, SHORT_OR_LETTERS } from './secrets/in-settings';
import { IN_PATHS, IN_QUERIES, IN_USERINFO } from './secrets/in-urls';
import { NAMELESS, PERSONAL, PROSE } from './secrets/in-words';
import { LATE } from './secrets/late-names';
import { isLeaked, type PlantedText, plantedTexts, readable, type SecretClass } from './secrets/planted';
import { OF_VENDORS } from './secrets/vendor-keys';

const CLASSES: readonly SecretClass[] = [
  ...[IN_JSON, IN_HEADERS, IN_ENVIRONMENT, IN_COMMANDS, IN_QUERIES, IN_PATHS, IN_USERINFO, IN_SETTINGS],
  ...[SHORT_OR_LETTERS, OF_VENDORS, ENCODED, ON_STDERR, IN_ERRORS, LOG_OBJECTS, LATE, PROSE, KEY_FILES],
  ...[NAMELESS, PERSONAL],
];

/** Most of the secrets that may leak, the ones apart not counted. */
const LEAK_BAR = 0.04;
/** Most places of the harmless texts that may be masked. */
const WRONG_MASK_BAR = 6;
/** Most rows to review for the harmless texts. */
const ROWS_BAR = 40;
const TIMED_ROUNDS = 5;

const flag = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const seed = Number(flag('seed') ?? 1);
const listed = process.argv.includes('--list');

const corpora = Number(flag('corpora') ?? 1);
const seeds = Array.from({ length: corpora }, (_, at) => seed + at);

const planted = seeds.flatMap((one) => CLASSES.flatMap((each) => plantedTexts(each, one)));
const harmless = seeds.flatMap(harmlessTexts);
const everything = [...planted, ...harmless];
const bytes = everything.flatMap(({ frames }) => frames).reduce((sum, frame) => sum + frame.bytes.length, 0);

const engines: Engine[] = [await thisRedactor()];
const earlier = await earlierRedactor(flag('baseline'));
if (earlier) engines.push(earlier);
else console.log('There is no earlier redactor to compare with: its commit is not in this clone.');
engines.push(await secretlint());

/** Placeholders, except those of personal data. */
const MASKED = /\[redacted:(?!email:|home-path:)[a-z-]+:/g;

interface Figures {
  readonly leaked: ReadonlyMap<SecretClass, number>;
  readonly wrong: number;
  readonly wrongTexts: number;
  readonly rows: number;
  readonly rowsAtOnce: number;
}

async function measure({ share }: Engine, report: (line: string) => void): Promise<Figures> {
  const leaked = new Map<SecretClass, number>();
  for (const text of planted) {
    const shared = await share(text.frames, text.given);
    if (!isLeaked(text, shared.texts)) continue;
    leaked.set(text.from, (leaked.get(text.from) ?? 0) + 1);
    report(`leak, ${text.from.id}: ${text.secrets.join(' or ')}\n    in ${shownLeak(text, shared.texts)}`);
  }
  let [wrong, wrongTexts, rows] = [0, 0, 0];
  for (const { name, frames } of harmless) {
    const shared = await share(frames, []);
    const masks = shared.texts.flatMap((text) => text.match(MASKED) ?? []);
    wrong += masks.length;
    if (masks.length > 0) wrongTexts++;
    rows += shared.rows;
    if (shared.rows > 0) report(`${shared.rows} rows, ${name}`);
    for (const text of shared.texts) {
      for (const mask of text.matchAll(MASKED)) {
        report(`wrong mask, ${name}: ${text.slice(Math.max(0, mask.index - 60), mask.index + 40)}`);
      }
    }
  }
  const all = harmless.flatMap(({ frames }) => frames).map((frame, at) => ({ ...frame, seq: at + 1 }));
  return { leaked, wrong, wrongTexts, rows, rowsAtOnce: (await share(all, [])).rows };
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
const leakShare = (one: Figures) => leaks(counted, one) / texts(counted);
const names = engines.map(({ name }) => name);

console.log(`seeds ${seeds.join(', ')}: ${planted.length + harmless.length} texts, ${(bytes / 1e6).toFixed(2)} MB`);
printRow('leaks', 'texts', names);
for (const each of counted) printLeaks(each.id, [each]);
printLeaks('all', counted);
printFigures('share', '', (one) => `${(100 * leakShare(one)).toFixed(1)} %`);
console.log('\nleaks of what nothing marks as a secret');
for (const each of CLASSES.filter(({ apart }) => apart)) printLeaks(each.id, [each]);
console.log(`\nharmless texts${corpora > 1 ? ', mean of the corpora' : ''}`);
const wrongMasks = ({ wrong, wrongTexts }: Figures) => `${perCorpus(wrong)} in ${perCorpus(wrongTexts)}`;
printFigures('wrong masks', harmless.length / corpora, wrongMasks);
printFigures('rows to review', '', ({ rows }) => perCorpus(rows));
printFigures('the same, in one recording', '', ({ rowsAtOnce }) => perCorpus(rowsAtOnce));
printRow('ms per MB', '', Array.from(times, Math.round));
console.log(`\nbars: ${LEAK_BAR * 100} % of the secrets, ${WRONG_MASK_BAR} wrong masks, ${ROWS_BAR} rows`);

const [ours] = figures as [Figures];
if (leakShare(ours) > LEAK_BAR || perCorpus(ours.wrong) > WRONG_MASK_BAR || perCorpus(ours.rows) > ROWS_BAR) {
  process.exitCode = 1;
}
