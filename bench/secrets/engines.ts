import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Frame } from '@/lib/wire/frame';
import { fromRoot } from '../inspected';
import { leaveOut, type Mechanism } from './mechanisms';
import { readable } from './planted';
import type { Shared } from './redactor';

/** Something that removes secrets from frames. */
export interface Engine {
  readonly name: string;
  share(frames: readonly Frame[], given: readonly string[]): Shared | Promise<Shared>;
}

const ENTRY = 'bench/secrets/redactor.ts';

/** Bundles the redactor of a folder with the project's source. */
async function redactorOf(name: string, folder: string, plugins: Plugin[] = []): Promise<Engine> {
  const outfile = fromRoot('node_modules/.cache/bench', `redactor-${name.replaceAll(/\W/g, '-')}.mjs`);
  const options = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' } as const;
  const alias = { '@': folder };
  await build({ entryPoints: [join(folder, ENTRY)], outfile, alias, plugins, ...options });
  const { share } = (await import(`${pathToFileURL(outfile)}?at=${statSync(outfile).mtimeMs}`)) as Pick<
    Engine,
    'share'
  >;
  return { name, share };
}

export const thisRedactor = () => redactorOf('this version', fromRoot());
/** Returns this version's redactor without a mechanism. */
export const redactorWithout = (mechanism: Mechanism) =>
  redactorOf(`without ${mechanism.name}`, fromRoot(), [leaveOut(mechanism, fromRoot())]);

/** The commit before the table of vendor tokens: the redactor that the table and its engine replaced. */
function commitBefore(): string | undefined {
  const table = 'lib/redact/vendor-tokens.ts';
  const words = ['log', '--diff-filter=A', '--format=%H', '--', table];
  const added = execFileSync('git', words, { cwd: fromRoot(), encoding: 'utf8' }).trim().split('\n').at(-1);
  return added ? `${added}^` : 'HEAD';
}

/** Returns the redactor of a commit or of another folder; undefined if there is none. */
export async function earlierRedactor(from = commitBefore()): Promise<Engine | undefined> {
  if (from === undefined) return undefined;
  if (existsSync(join(from, 'lib/redact'))) return redactorOf(`that of ${from}`, from);
  const git = (...words: string[]) => spawnSync('git', words, { cwd: fromRoot(), maxBuffer: 2 ** 28 });
  const commit = git('rev-parse', '--verify', '--short', `${from}^{commit}`).stdout.toString().trim();
  if (commit === '') return undefined;
  const folder = fromRoot('node_modules/.cache/bench-redactors', commit);
  if (!existsSync(join(folder, 'lib'))) {
    mkdirSync(folder, { recursive: true });
    const { stdout } = git('archive', '--format=tar', commit, 'lib', 'tsconfig.json');
    execFileSync('tar', ['-x', '-C', folder], { input: stdout });
  }
  cpSync(fromRoot(ENTRY), join(folder, ENTRY));
  return redactorOf(`commit ${commit}`, folder);
}

const SECRETLINT_VERSION = '11.7.1';

interface Message {
  readonly range: readonly [number, number];
}
interface LintCore {
  lintSource(input: {
    source: { filePath: string; content: string; contentType: 'text' };
    options: { config: { rules: { id: string; rule: unknown; options: object }[] }; noPhysicFilePath: true };
  }): Promise<{ messages: readonly Message[] }>;
}

/**
 * secretlint with its recommended rules, installed first if needed. It reads the frames and, decoded, the strings in
 * their JSON; each text that it reports is masked wherever it stands.
 */
export async function secretlint(): Promise<Engine> {
  const folder = fromRoot('node_modules/.cache/bench-secretlint');
  const modules = join(folder, 'node_modules/@secretlint');
  const packages = ['core', 'secretlint-rule-preset-recommend'];
  if (!existsSync(join(modules, packages[1]!))) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    const specs = packages.map((name) => `@secretlint/${name}@${SECRETLINT_VERSION}`);
    const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, ...specs], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`Could not install ${specs.join(' ')}. npm printed the reason above.`);
  }
  const load = (name: string, file: string) => import(pathToFileURL(join(modules, name, file)).href);
  const { lintSource } = (await load('core', 'module/index.js')) as LintCore;
  const { creator } = (await load('secretlint-rule-preset-recommend', 'module/index.js')) as { creator: unknown };
  const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }];
  return {
    name: 'secretlint',
    async share(frames) {
      const decoder = new TextDecoder();
      let texts = frames.map(({ bytes }) => decoder.decode(bytes));
      const content = readable(texts);
      const source = { filePath: 'recording.txt', content, contentType: 'text' } as const;
      const { messages } = await lintSource({ source, options: { config: { rules }, noPhysicFilePath: true } });
      const found = messages.flatMap(({ range: [from, to] }) => content.slice(from, to).split('\n'));
      for (const value of new Set(found)) {
        if (value !== '') texts = texts.map((text) => text.replaceAll(value, '[redacted:secretlint:]'));
      }
      return { texts, rows: 0 };
    },
  };
}
