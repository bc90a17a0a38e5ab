import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Packs the built project as npm would publish it, and installs it in a temporary folder for the tests. */
export default function pack(): () => void {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error('There is no build to test. Run `npm run build` first.');
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-e2e-'));
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], folder);
  // Workers inherit the environment.
  process.env.MCP_INSPECT_E2E = join(folder, 'node_modules', 'mcp-inspect');
  return () => rmSync(folder, { recursive: true, force: true });
}

function npm(args: string[], cwd: string): string {
  const { npm_execpath: path } = process.env;
  const [command, ...first] = path ? [process.execPath, path] : ['npm'];
  return execFileSync(command!, [...first, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
