import { join } from 'node:path';
import { findingsOf } from '@/features/check/lib/report';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { type Launch, resolveLaunch } from '@/proxy/connection/launch';
import { type CheckLimits, checkServer } from './check-server';
import type { SessionStep } from './check-session';
import type { SessionRecordings } from './session-recordings';
import { SURVIVAL_STEPS } from './survival';

/** The fixture server, from the root of the repository. */
export const FAULTY = 'proxy/commands/fixtures/faulty-server.mjs';

export const ERAS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;

export const NO_OPTIONS: ServerOptions = {
  demo: false,
  protocol: 'auto',
  env: new Map(),
  inputs: new Map(),
  headers: new Map(),
  client: {},
  tls: {},
  allowLinkLocal: false,
  transport: 'auto',
  cleanEnv: false,
  keepSignIns: false,
  otel: true,
  intercept: [],
};

/** Checks the fixture server with these faults. */
export function checkFaulty(
  args: readonly string[],
  protocol: ProtocolChoice,
  limits: Partial<CheckLimits> = {},
  steps: readonly SessionStep[] = SURVIVAL_STEPS,
  recordings?: SessionRecordings,
) {
  const target = {
    transport: 'stdio',
    command: process.execPath,
    args: [join(import.meta.dirname, '../../../..', FAULTY), ...args],
  } as const;
  return checkLaunch(resolveLaunch(target, protocol, []), limits, steps, recordings);
}

export async function checkLaunch(
  launch: Launch,
  limits: Partial<CheckLimits>,
  steps: readonly SessionStep[] = SURVIVAL_STEPS,
  recordings?: SessionRecordings,
) {
  const checked = await checkServer(launch, {
    server: { options: NO_OPTIONS, json: true },
    version: '0.0.0-test',
    status: { show: () => {}, end: () => {} },
    limits: { wholeMs: 60_000, stepMs: 15_000, ...limits },
    steps,
    ...(recordings && { recordings }),
    onClose: () => {},
  });
  const found = findingsOf(checked).map(({ finding }) => finding);
  return { ...checked, found, rules: found.map(({ rule }) => rule) };
}
