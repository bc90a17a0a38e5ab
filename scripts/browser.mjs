// Finds the browsers for the tests; on linux-x64 without any Chromium it fetches one from npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const SPARTICUZ = '@sparticuz/chromium@153.0.0';

/** Paths of browsers that Playwright can drive, by platform, best first. */
const SYSTEM = {
  linux: [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge',
  ].map(onPath),
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => () => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap((path) =>
    ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].map((name) => () => join(process.env[name] ?? '', path)),
  ),
};

function onPath(name) {
  return () =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(existsSync);
}

/** Path of a Chromium: $MCP_INSPECT_BROWSER, $CHROME_PATH, Playwright's own, or the system's; otherwise undefined. */
export function findBrowser() {
  const given = process.env.MCP_INSPECT_BROWSER ?? process.env.CHROME_PATH;
  if (given) return given;
  const { chromium } = require('@playwright/test');
  const places = [() => chromium.executablePath(), ...(SYSTEM[process.platform] ?? [])];
  return places.map((place) => place()).find((path) => path && existsSync(path));
}

/** Places of a Firefox, by platform. Windows has none: e2e/firefox/relay.mjs is not a program there. */
const FIREFOX = {
  linux: ['firefox-esr', 'firefox'].map(onPath),
  darwin: [() => '/Applications/Firefox.app/Contents/MacOS/firefox'],
};

/** Path of a Firefox: $FIREFOX_PATH, or the system's; otherwise undefined. */
export function findFirefox() {
  const places = FIREFOX[process.platform] ?? [];
  if (places.length > 0 && process.env.FIREFOX_PATH) return process.env.FIREFOX_PATH;
  return places.map((place) => place()).find((path) => path && existsSync(path) && !isSnap(path));
}

/** Ubuntu's `firefox` is a script that starts a snap, which can't read the profile that Playwright makes for it. */
function isSnap(path) {
  return readFileSync(path, 'latin1').includes('/snap/bin/firefox');
}

/** Like {@link findBrowser}, but downloads a browser if it can. Throws Error with a sentence if not. */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  const fetched = process.platform === 'linux' && process.arch === 'x64' ? fetchChromium() : undefined;
  if (fetched) return fetched;
  throw new Error('No Chromium was found: install Chrome, or set MCP_INSPECT_BROWSER to the path of one.');
}

function fetchChromium() {
  const prefix = join(root, 'node_modules', '.cache', 'e2e-browser');
  const entry = join(prefix, 'node_modules/@sparticuz/chromium/build/esm/index.js');
  if (!existsSync(entry)) {
    process.stderr.write('fetching a Chromium for the tests (70 MB)…\n');
    const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
    const args = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', SPARTICUZ];
    spawnSync(npm[0], [...npm.slice(1), ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  // Unpacks into the temporary folder and prints where. Its default arguments weaken the browser, so we never use them.
  const code = `const { default: c } = await import(${JSON.stringify(pathToFileURL(entry).href)}); console.log(await c.executablePath())`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  const path = stdout.trim();
  return path && existsSync(path) ? path : undefined;
}
