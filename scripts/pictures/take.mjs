// `npm run pictures`: takes the pictures of the README from the real page, by hand when the page changed.
// Needs a build, python3 and a Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '../browser.mjs';
import { animatedPng } from './apng.mjs';

const root = join(import.meta.dirname, '..', '..');
const docs = join(root, 'docs', 'pictures');
const SIZE = { width: 1280, height: 800 };
/** Bytes that a picture may have, because a README is loaded on slow lines too. */
const MOST_BYTES = 1_500_000;
/** How long a step of the animation is shown, in ms. */
const GLANCE_MS = 900;
const READ_MS = 3000;

const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-pictures-'));
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
/** Programs that run, so that none is left if a step fails. */
const started = new Set();

function write(name, bytes) {
  writeFileSync(join(docs, name), bytes);
  process.stdout.write(`docs/pictures/${name}: ${Math.round(bytes.length / 1000)} KB\n`);
  if (bytes.length > MOST_BYTES) throw new Error(`${name} is larger than ${MOST_BYTES} bytes`);
}

/** A call that fails, why, a save, and what it changed. */
async function animation() {
  const folder = join(home, 'weather');
  mkdirSync(folder);
  const file = join(folder, 'server.py');
  cpSync(join(import.meta.dirname, 'server.py'), file);
  const { page, close } = await open(['--watch', '--', 'python3', 'server.py'], folder);
  const film = new Film(page);
  await page.getByRole('option', { name: 'forecast' }).click();
  const city = page.getByRole('combobox', { name: 'city' });
  await city.waitFor();
  await film.shoot(GLANCE_MS);
  await city.selectOption('bergen');
  await film.shoot(GLANCE_MS);
  await page.getByRole('button', { name: /^Call/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText("KeyError: 'temp'").first().waitFor();
  await film.shoot(READ_MS);
  await result.getByRole('button', { name: 'Pin the call' }).click();
  await result.getByText('Pinned in').waitFor();
  await film.shoot(GLANCE_MS);
  const fixed = readFileSync(file, 'utf8')
    .replace('{"wind": 12}', '{"temp": 6, "wind": 12}')
    .replace('The weather at a station', 'Temperature and wind at a station, now');
  writeFileSync(file, fixed);
  const strip = page.getByRole('region', { name: 'Re-run on save' });
  await strip.getByText('1 tool changed').waitFor();
  await film.shoot(READ_MS);
  await strip.getByRole('button', { name: '1 pin' }).click();
  await page.getByRole('region', { name: 'What changed' }).waitFor();
  await film.shoot(READ_MS);
  await strip.getByRole('button', { name: 'What changed' }).click();
  await page.getByRole('region', { name: 'Server and catalogue' }).waitFor();
  await film.shoot(READ_MS);
  await close();
  return animatedPng(film.frames);
}

/** An app in the result of a tool, and its messages below. */
async function appStill() {
  const server = join(root, 'e2e/servers/node_modules/@modelcontextprotocol/server-budget-allocator/dist/index.js');
  const { page, close } = await open(['--', process.execPath, server, '--stdio'], home);
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: /^Call/ }).click();
  await page.getByRole('button', { name: 'App', exact: true }).click();
  await page.getByRole('button', { name: 'Load app' }).click();
  await page.getByRole('button', { name: 'Start app' }).click();
  await page.frameLocator('iframe[title^="App of"]').getByText('Marketing').first().waitFor();
  const picture = await page.screenshot();
  await close();
  return picture;
}

/** Starts the built program and opens its page. */
async function open(words, cwd) {
  const env = { ...process.env, XDG_DATA_HOME: join(home, 'data'), HOME: home };
  const child = spawn(process.execPath, [join(root, 'dist/cli.js'), '--no-open', '--port', '0', ...words], {
    cwd,
    env,
  });
  started.add(child);
  let printed = '';
  while (!/#launch=\S+\s/.test(printed)) printed += (await once(child.stdout, 'data'))[0];
  const context = await browser.newContext({ viewport: SIZE, colorScheme: 'dark', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(/http\S+#launch=\S+/.exec(printed)[0]);
  await page.getByRole('button', { name: /^open/ }).waitFor();
  const close = async () => {
    await context.close();
    started.delete(child);
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { page, close };
}

/** Screenshots. Each holds only what differs from the one before. */
class Film {
  frames = [];
  #page;
  #last;

  constructor(page) {
    this.#page = page;
  }

  async shoot(ms) {
    await this.#page.mouse.move(SIZE.width - 1, SIZE.height - 1);
    const png = await this.#page.screenshot();
    const part = this.#last ? await changedPart(this.#last, png) : { png, x: 0, y: 0 };
    this.#last = png;
    if (part) this.frames.push({ ...part, ms });
    else this.frames.at(-1).ms += ms;
  }
}

/** Cuts the rectangle out of a picture that differs from another one; undefined if they are equal. */
async function changedPart(before, after) {
  const page = await browser.newPage();
  const part = await page.evaluate(
    async (pictures) => {
      const [old, now] = await Promise.all(
        pictures.map(async (base64) => {
          const image = new Image();
          image.src = `data:image/png;base64,${base64}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          return { image, data: new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer) };
        }),
      );
      const { width } = now.image;
      let [left, top, right, bottom] = [width, Number.POSITIVE_INFINITY, -1, -1];
      now.data.forEach((pixel, at) => {
        if (pixel === old.data[at]) return;
        const [x, y] = [at % width, Math.floor(at / width)];
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      });
      return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
    },
    [before.toString('base64'), after.toString('base64')],
  );
  await page.setViewportSize(SIZE);
  await page.setContent(`<body style="margin:0"><img src="data:image/png;base64,${after.toString('base64')}">`);
  const png = part && (await page.screenshot({ clip: part }));
  await page.close();
  return part && { png, x: part.x, y: part.y };
}

try {
  mkdirSync(docs, { recursive: true });
  write('watch.png', await animation());
  write('app.png', await appStill());
} finally {
  for (const child of started) child.kill('SIGTERM');
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
