import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { framesFrom } from '@/lib/hub/frame-log';
import { systemClock } from '@/lib/wire/clock';
import { entryOf } from '@/lib/wire/command';
import type { WatchState } from '@/lib/wire/watch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { Recorder } from '@/proxy/recorder/recorder';
import { EDITORS, newFolder, removeFolders, serverScript } from '@/proxy/watch/fixtures/edited-server';
import { KEPT_RUNS, type WatchOptions } from '@/proxy/watch/server-watches';
import { PageHub } from './page-hub';

/** Runs of an entry that are kept: a few, or as many as mcp-inspect keeps. */
const KEPT = process.env.TEST_LONG ? KEPT_RUNS : 3;

const hubs: PageHub[] = [];
const reaper = new Reaper();

afterEach(async () => {
  await Promise.all(hubs.splice(0).map((hub) => hub.shutdown()));
  removeFolders();
});

/** The entries of runs that saves started, each with that of the command line, and the sentences that a hub printed. */
class Seen {
  readonly saved: (readonly [entry: string, first: string | undefined])[] = [];
  readonly printed: string[] = [];
}

function newHub(options: Partial<WatchOptions>, seen: Seen, recordings?: string): PageHub {
  const version = '0.0.0-test';
  const hub = new PageHub(
    (sentence) => seen.printed.push(sentence),
    {
      clock: systemClock,
      version,
      presets: [],
      openTransport: (launch, sink) =>
        createTransport(launch, { sink, clock: systemClock, reaper, version, allowLinkLocal: false }),
      lookFurther: async () => {},
      ...(recordings !== undefined && { recorder: new Recorder({ clock: systemClock, version, folder: recordings }) }),
    },
    {
      reaper,
      allowLinkLocal: false,
      keptRuns: KEPT,
      given: { on: true, globs: [], ...options },
      afterSave: async ({ summary }, _, first) => void seen.saved.push([entryOf(summary), first]),
    },
  );
  hubs.push(hub);
  return hub;
}

/** Writes a server into a folder, unless it has one. */
function newServer(text = serverScript(['one']), folder: string = newFolder()) {
  const file = join(folder, 'server.mjs');
  if (!existsSync(file)) writeFileSync(file, text);
  const target = { transport: 'stdio', command: process.execPath, args: [file], cwd: folder } as const;
  return { folder, file, target };
}

/** Starts a server that is a script in a folder, and watches it as the command line does. */
async function watchedServer(
  options: Partial<WatchOptions> = {},
  text?: string,
  inFolder?: string,
  recordings?: string,
) {
  const { folder, file, target } = newServer(text, inFolder);
  const seen = new Seen();
  const hub = newHub(options, seen, recordings);
  const first = await hub.connectFirst(target, '2025-11-25');
  await expect.poll(() => first.server.state).not.toBe('starting');
  await hub.watchFirst();
  const state = (): WatchState => hub.connections().at(-1)!.watch!;
  /** Waits until the given number of saves has led to runs that are over. */
  const settled = async (saves: number): Promise<WatchState> => {
    const over = () => state()?.saves >= saves && state().phase === 'watching';
    await expect.poll(over, { interval: 5 }).toBe(true);
    return state();
  };
  return { hub, folder, file, first, ...seen, state, settled };
}

async function textsOf(hub: PageHub, id: string): Promise<string> {
  const frames = framesFrom(await hub.get(id).log.segmentOf(1), 1);
  return frames.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n');
}

/** Restarts the newest run again and again, and waits until the last one is open. */
async function restartByHand(hub: PageHub, times: number): Promise<void> {
  for (let at = 1; at <= times; at++) await hub.restart(hub.connections().at(-1)!.id);
  await expect.poll(() => hub.connections().at(-1)!.state).toBe('open');
}

describe('a save', () => {
  test.each(Object.entries(EDITORS))('restarts the server if the editor %s', async (_name, write) => {
    const { hub, file, first, settled } = await watchedServer();
    write(file, serverScript(['one', 'two']));
    const { good, before, saved, failure } = await settled(1);
    expect(failure).toBeUndefined();
    expect(before).toBe(first.id);
    expect(saved).toMatchObject({ file: 'server.mjs' });
    expect(hub.get(good!).summary).toMatchObject({ entry: first.id, state: 'open' });
    await expect.poll(() => textsOf(hub, good!)).toContain('"two"');
    expect(first.ended).toBe(true);
  });

  test('that breaks the server shows the line and place, and the next one recovers', async () => {
    const { hub, file, first, settled } = await watchedServer();
    writeFileSync(file, `${serverScript(['one'])}\nlet x = ;\n`);
    const broken = await settled(1);
    expect(broken.good).toBe(first.id);
    expect(broken.failure).toMatchObject({
      what: 'server',
      run: hub.connections().at(-1)!.id,
      line: expect.stringMatching(/^SyntaxError: /),
      place: expect.stringMatching(/server\.mjs:\d+$/),
    });
    writeFileSync(file, serverScript(['two']));
    const fixed = await settled(2);
    expect(fixed).toMatchObject({ failure: undefined, before: first.id });
    expect(hub.get(fixed.good!).summary.state).toBe('open');
  });

  test('does not wait for a server that hangs at its start', async () => {
    const { hub, file, state, settled } = await watchedServer();
    writeFileSync(file, 'setInterval(() => {}, 1000);');
    await expect.poll(() => hub.connections().at(-1)!.state).toBe('starting');
    writeFileSync(file, serverScript(['two']));
    await settled(2);
    expect(state()).toMatchObject({ failure: undefined, good: hub.connections().at(-1)!.id });
  });

  test('after a restart by hand is compared with that run', async () => {
    const { hub, file, first, state, settled } = await watchedServer();
    const made = await hub.restart(first.id);
    await expect.poll(() => state()?.good).toBe(made.id);
    expect(state()).toMatchObject({ before: first.id });
    writeFileSync(file, serverScript(['two']));
    expect((await settled(1)).before).toBe(made.id);
  });

  test('during a run starts one more run', async () => {
    const { hub, file, settled } = await watchedServer();
    for (let at = 0; at < 12; at++) {
      writeFileSync(file, serverScript([`tool-${at}`]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await settled(1);
    await expect.poll(() => textsOf(hub, hub.connections().at(-1)!.id)).toContain('"tool-11"');
    expect(hub.connections().length).toBeLessThan(8);
  });

  test('of a file that git ignores changes nothing', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, '.gitignore'), 'made.mjs\n');
    writeFileSync(join(folder, 'made.mjs'), '');
    const { file, state, settled } = await watchedServer({}, undefined, folder);
    expect(state().files).toBe(1);
    writeFileSync(join(folder, 'made.mjs'), 'x');
    writeFileSync(join(folder, 'notes.txt'), 'x');
    writeFileSync(join(folder, 'server.mjs.tmp'), 'x');
    writeFileSync(file, readFileSync(file));
    expect((await settled(1)).saved).toMatchObject({ file: 'server.mjs', more: 0 });
  });
});

describe('a build', () => {
  const building = (script: string): Partial<WatchOptions> => ({ build: [process.execPath, '-e', script] });

  test('runs before the restart, and its output is in the log', async () => {
    const { hub, file, first, settled } = await watchedServer(building('console.log("compiled it")'));
    writeFileSync(file, serverScript(['two']));
    expect((await settled(1)).good).not.toBe(first.id);
    expect(await textsOf(hub, first.id)).toContain('compiled it');
  });

  test('that fails keeps the server', async () => {
    const { hub, file, first, settled } = await watchedServer(
      building(
        'console.error("src/main.rs\\nerror[E0425]: cannot find value\\n --> src/main.rs:3:5"); process.exit(2)',
      ),
    );
    writeFileSync(file, serverScript(['two']));
    expect((await settled(1)).failure).toMatchObject({
      what: 'build',
      message: expect.stringContaining('failed with exit code 2'),
      line: 'error[E0425]: cannot find value',
      place: 'src/main.rs:3',
    });
    expect(first.server.state).toBe('open');
    expect(hub.connections()).toHaveLength(1);
  });

  test('that is not installed is explained', async () => {
    const { file, settled } = await watchedServer({ build: ['no-such-compiler'] });
    writeFileSync(file, serverScript(['two']));
    expect((await settled(1)).failure?.message).toContain('no-such-compiler');
  });

  test('ends with mcp-inspect', async () => {
    const { hub, file, state } = await watchedServer(building('setInterval(() => {}, 1000)'));
    writeFileSync(file, serverScript(['two']));
    await expect.poll(() => state().phase).toBe('building');
    await hub.shutdown();
  });
});

/** Connects to another server as a page does, and watches it. `save` resolves once its run is over. */
async function alsoWatched(hub: PageHub) {
  const { file, target } = newServer();
  const { id, server } = await hub.connect(target, '2025-11-25');
  await expect.poll(() => server.state).toBe('open');
  await hub.watch(id, true);
  const saves = () => {
    const { watch } = hub.connections().findLast((one) => entryOf(one) === id)!;
    return watch?.phase === 'watching' ? watch.saves : undefined;
  };
  const save = async (count: number) => {
    writeFileSync(file, serverScript([`tool-${count}`]));
    await expect.poll(saves, { interval: 5 }).toBe(count);
  };
  return { id, save };
}

test('features learn of each run that a save started, and of the command line’s server', async () => {
  const { hub, file, first, saved, settled } = await watchedServer();
  writeFileSync(file, serverScript(['two']));
  await settled(1);
  const other = await alsoWatched(hub);
  await other.save(1);
  expect(saved).toEqual([
    [first.id, first.id],
    [other.id, first.id],
  ]);
  const seen = new Seen();
  const another = await alsoWatched(newHub({}, seen));
  await another.save(1);
  expect(seen.saved).toEqual([[another.id, undefined]]);
});

test('can be turned on again after it failed to start', async () => {
  const { hub, first } = await watchedServer();
  await hub.watch(first.id, false);
  vi.spyOn(first, 'showWatch').mockImplementationOnce(() => {
    throw new Error('no memory');
  });
  await expect(hub.watch(first.id, true)).rejects.toThrow('no memory');
  expect(first.summary.watch).toBeUndefined();
  await hub.watch(first.id, true);
  expect(first.summary.watch).toMatchObject({ phase: 'watching', files: 1 });
});

test('ends when somebody disconnects', async () => {
  const { hub, folder, file, first } = await watchedServer();
  const other = await watchedServer({}, undefined, folder);
  await hub.close(first, 'user');
  expect(first.summary.watch).toBeUndefined();
  writeFileSync(file, serverScript(['two']));
  // By then, this hub would have restarted its server too.
  await other.settled(1);
  expect(hub.connections()).toHaveLength(1);
});

test('starts no server that somebody disconnects while old runs are removed', async () => {
  const { hub, file } = await watchedServer();
  await restartByHand(hub, KEPT);
  const restart = vi.spyOn(hub, 'restart');
  const forget = hub.forget.bind(hub);
  const forgotten = new Promise<void>((resolve) => {
    vi.spyOn(hub, 'forget').mockImplementation(async (connection) => {
      await hub.close(hub.live(hub.connections().at(-1)!.id), 'user');
      await forget(connection);
      resolve();
    });
  });
  writeFileSync(file, serverScript(['two']));
  await forgotten;
  await new Promise((resolve) => setImmediate(resolve));
  expect(restart).not.toHaveBeenCalled();
}, 60_000);

test('deletes the recordings of older runs that saves started, unless somebody noted them', async () => {
  const folder = newFolder();
  const { hub, file, settled } = await watchedServer({}, undefined, undefined, folder);
  const recordings = () => hub.connections().map(({ recordedIn }) => recordedIn!);
  const [first] = recordings();
  let noted = '';
  for (let saves = 1; saves <= KEPT + 3; saves++) {
    writeFileSync(file, serverScript([`tool-${saves}`]));
    const { good } = await settled(saves);
    if (saves !== 2) continue;
    noted = recordings().at(-1)!;
    hub.live(good!).logEvent({ event: 'note', on: 1, text: 'look here', bookmark: false });
  }
  await expect.poll(() => readdirSync(folder).length).toBe(KEPT + 3);
  expect(existsSync(first!)).toBe(true);
  expect(readFileSync(noted, 'utf8')).toContain('look here');
  for (const kept of recordings()) expect(existsSync(kept)).toBe(true);
}, 120_000);

test('quitting waits for the build of a watch that was turned off', async () => {
  const folder = newFolder();
  const [started, ended] = [join(folder, 'started'), join(folder, 'ended')];
  const script = join(folder, 'build.mjs');
  // Ends a while after SIGTERM, as a compiler that removes its temporary files.
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => setTimeout(() => { writeFileSync(${JSON.stringify(ended)}, ''); process.exit(1); }, 300));
    writeFileSync(${JSON.stringify(started)}, '');
    setInterval(() => {}, 1000);`,
  );
  const { hub, file, first } = await watchedServer({ build: [process.execPath, script] });
  writeFileSync(file, serverScript(['two']));
  await expect.poll(() => existsSync(started)).toBe(true);
  await hub.watch(first.id, false);
  await hub.shutdown();
  expect(existsSync(ended)).toBe(true);
}, 60_000);

test('keeps a bounded number of runs', async () => {
  const { hub, file, settled } = await watchedServer();
  await restartByHand(hub, KEPT + 4);
  writeFileSync(file, serverScript(['two']));
  await settled(1);
  expect(hub.connections().length).toBeLessThanOrEqual(KEPT + 1);
  expect(hub.connections().at(-1)).toMatchObject({ state: 'open', run: KEPT + 6 });
}, 60_000);
