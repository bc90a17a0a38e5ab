import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot } from './inspected';

/** Returns the node_modules with a package to compare with. Installs it first if needed, with the `others`. */
export function installedPeer(folder: string, name: string, version: string, ...others: readonly string[]): string {
  const prefix = fromRoot('node_modules/.cache', folder);
  const modules = join(prefix, 'node_modules');
  if (existsSync(join(modules, name))) return modules;
  mkdirSync(prefix, { recursive: true });
  const spec = `${name}@${version}`;
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', '--prefix', prefix, ...options, spec, ...others], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`Could not install ${spec}. npm printed the reason above.`);
  return modules;
}
