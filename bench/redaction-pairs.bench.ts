/**
 * Values that only one of two redactors masks: this version's, and that of `--baseline=COMMIT` (by default of `main`).
 * Texts and values are made at random from `--seed=N` (by default another one each run): `--count=N` pairs of a name
 * and a value, `--corpora=N` times the texts of `secrets`. Read the list before each change of a rule is merged.
 */
import { earlierRedactor, thisRedactor } from './secrets/engines';
import { harmlessLists, harmlessTexts } from './secrets/harmless';
import { IN_FILES } from './secrets/in-files';
import { IN_SYSTEMS } from './secrets/in-systems';
import { IN_WRAPPINGS } from './secrets/in-wrappings';
import { namedPairs } from './secrets/named-pairs';
import { isLeaked, type PlantedText, plantedTexts } from './secrets/planted';

const flag = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const seed = Number(flag('seed') ?? Math.floor(Math.random() * 1_000_000));
const count = Number(flag('count') ?? 3000);
const corpora = Number(flag('corpora') ?? 3);

const engines = [await earlierRedactor(flag('baseline') ?? 'main'), await thisRedactor()] as const;
const [before, after] = engines;
if (!before) throw new Error('Found no earlier redactor to compare with: name its commit with --baseline=COMMIT.');

const templates = [...IN_FILES, ...IN_SYSTEMS, ...IN_WRAPPINGS];
const texts = Array.from({ length: corpora }, (_, at) =>
  plantedTexts({ id: 'secrets', count: templates.length, templates }, seed + at),
).flat();
const planted: readonly PlantedText[] = [...namedPairs(seed, count), ...texts];
const harmless = Array.from({ length: corpora }, (_, at) => [
  ...harmlessTexts(seed + at),
  ...harmlessLists(seed + at, 0),
  ...harmlessLists(seed + at, 1),
]).flat();

const MASKED = /\[redacted:[a-z-]+:[0-9a-f]{8}\]/g;
const onlyBefore: string[] = [];
const onlyAfter: string[] = [];

for (const text of planted) {
  const [old, now] = [await before.share(text.frames, text.given), await after.share(text.frames, text.given)];
  const [wasRead, isRead] = [isLeaked(text, old.texts), isLeaked(text, now.texts)];
  if (wasRead === isRead) continue;
  const said = new TextDecoder().decode(text.frames.at(-1)!.bytes);
  (isRead ? onlyBefore : onlyAfter).push(`${text.secrets[0]}\n      in ${said.slice(0, 240)}`);
}
/** Returns what was masked, by what stands around it. Digests in placeholders differ each time. */
const masksIn = (shared: readonly string[]) =>
  shared.flatMap((text) =>
    Array.from(text.matchAll(MASKED), ({ index }) => text.slice(0, index).replace(MASKED, '[redacted]').slice(-50)),
  );
for (const { name, frames } of harmless) {
  const [old, now] = [masksIn((await before.share(frames, [])).texts), masksIn((await after.share(frames, [])).texts)];
  for (const around of old.filter((one) => !now.includes(one))) onlyBefore.push(`harmless, ${name}: ${around}`);
  for (const around of now.filter((one) => !old.includes(one))) onlyAfter.push(`harmless, ${name}: ${around}`);
}

console.log(`seed ${seed}: ${planted.length} planted and ${harmless.length} harmless texts`);
for (const [who, list] of [
  [before.name, onlyBefore],
  [after.name, onlyAfter],
] as const) {
  console.log(`\nmasked by ${who} alone: ${list.length}`);
  for (const one of list) console.log(`  ${one}`);
}
