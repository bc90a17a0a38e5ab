import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { resolveLaunch } from '@/proxy/connection/launch';
import { Reaper } from '@/proxy/process/reaper';
import { type ReplayServer, serveBackend } from '@/proxy/replay/http-server';
import { callSteps } from '../calls';
import type { SessionStep } from '../check-session';
import { SURVIVAL_STEPS } from '../survival';
import { checkLaunch, ERAS } from '../test-check';
import { checkConformance } from './conformance';
import { findSuite, SURROUNDINGS } from './find-suite';
import { LiveBackend } from './live-backend';

const FAULTY = join(import.meta.dirname, '../../../../../proxy/commands/fixtures/faulty-server.mjs');
const ROOT = join(import.meta.dirname, '../../../../..');

function stdioLaunch(...args: string[]) {
  const launch = resolveLaunch({ transport: 'stdio', command: process.execPath, args }, 'auto', []);
  if (launch.transport !== 'stdio') throw new Error('not on stdio');
  return launch;
}

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/** Serves a server on stdio over HTTP. */
async function front(era: keyof typeof ERAS, ...args: string[]): Promise<ReplayServer> {
  const host = { clock: systemClock, reaper: new Reaper() };
  const backend = new LiveBackend(stdioLaunch(...args), { era, version: ERAS[era] }, host);
  const server = await serveBackend(backend, { printNote: () => {}, port: 0, path: '/secret/mcp' });
  close = async () => {
    await server.close();
    await backend.close();
  };
  return server;
}

describe.each(['legacy', 'modern'] as const)('a %s server behind HTTP', (era) => {
  test('answers as on stdio', async () => {
    const { url } = await front(era, FAULTY, era);
    const launch = resolveLaunch({ transport: 'http', url }, ERAS[era], []);
    const steps = [...callSteps('all'), ...SURVIVAL_STEPS];
    const { found, sources } = await checkLaunch(launch, { stepMs: 10_000 }, steps);
    expect(found).toEqual([]);
    expect(sources[0]!.facts).toMatchObject({ tools: 1, resources: 2, prompts: 2 });
  });

  test('keeps progress with the call that caused it', async () => {
    const { url } = await front(era, join(ROOT, 'examples/demo-server/server.mjs'));
    const progress: unknown[] = [];
    const step: SessionStep = {
      name: 'count',
      run: async ({ connection }, signal) => {
        const params = JSON.stringify({ name: 'climb_tower', arguments: { steps: 3, delay_ms: 0 } });
        await connection.request('tools/call', params, (one) => progress.push(one.progress), signal);
        return [];
      },
    };
    const { rules } = await checkLaunch(resolveLaunch({ transport: 'http', url }, ERAS[era], []), { stepMs: 10_000 }, [
      step,
    ]);
    expect(rules).not.toContain('server-lost');
    expect(progress.length).toBeGreaterThan(1);
  });

  test('says that the server has exited', async () => {
    const { url } = await front(era, FAULTY, era, 'exits-at-start');
    const { failure } = await checkLaunch(resolveLaunch({ transport: 'http', url }, ERAS[era], []), {}, []);
    expect(failure?.message).toContain('exited');
  });
});

test('is only reached by its path, without a foreign Host or Origin', async () => {
  const { url } = await front('legacy', FAULTY, 'legacy');
  const statusOf = (target: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) =>
      get(target, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject),
    );
  expect(await statusOf(new URL('/mcp', url).href, {})).toBe(404);
  expect(await statusOf(url, { host: 'evil.example' })).toBe(403);
  expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
});

const INSTALLED = join(ROOT, 'e2e/conformance');

/** The suite is installed by `npm run conformance`. */
test.runIf(existsSync(join(INSTALLED, 'node_modules')))(
  'the suite judges a server on stdio',
  async () => {
    const suite = findSuite(false, { ...SURROUNDINGS(), folders: [join(INSTALLED, 'node_modules')] });
    const judge = (...faults: string[]) =>
      checkConformance(
        suite,
        {
          launch: stdioLaunch(FAULTY, 'modern', ...faults),
          name: 'faulty',
          negotiated: { era: 'modern', version: ERAS.modern, capabilities: { tools: {} } } as never,
          listed: { tools: [{ name: 'echo' }] },
          isSse: false,
          onStart: () => {},
        },
        { show: () => {}, end: () => {} },
      );
    const good = await judge();
    const bad = await judge('result-type-missing');
    const failed = (source: typeof good) =>
      source.steps.filter(({ findings }) => findings.length > 0).map((s) => s.name);
    expect(good.steps.find(({ name }) => name === 'conformance tools-list')).toMatchObject({ findings: [] });
    expect(good.steps.find(({ name }) => name === 'conformance tools-call-simple-text')!.skipped).toMatch('no tool');
    expect(failed(bad)).toContain('conformance tools-list');
  },
  120_000,
);
