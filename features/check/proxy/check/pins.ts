import { type PlayedPin, pinSecrets, playPins } from '@/features/check/lib/pins/play-pins';
import type { CheckFinding } from '@/features/check/lib/report';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { DEFAULT_NORMALISER } from '@/lib/replay/compare/normalise';
import type { PinVerdict } from '@/lib/wire/pins';
import { changeTexts } from '@/proxy/commands/shared/compare-report';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { withoutGone } from '../test/gone-pins';
import { askThrough, readPinsFile } from '../test/pins-file';
import type { SessionStep } from './check-session';

/** Milliseconds for all pinned calls. The limit of the whole check usually ends them before. */
const PINS_MS = 60 * 60_000;

/** Changes of one answer that a finding quotes. */
const MOST_CHANGES = 5;

/** Returns the step that plays a pins file. Rejects with an ExitError. */
export async function pinsStep(file: LocalFile): Promise<SessionStep> {
  const { pins } = await readPinsFile(file);
  const environment = (name: string): string | undefined => process.env[name];
  const secrets = pinSecrets(pins, environment);
  let played = false;
  return {
    name: `pins ${file.shown}`,
    secrets,
    limitMs: PINS_MS,
    // Calls that make something would make it twice, and answers of another era have other members.
    skips: () => (played ? 'The pinned calls were played in the first session.' : undefined),
    run: async ({ connection }, signal) => {
      played = true;
      const redactor = new CaptureRedactor(secrets);
      const answered: PlayedPin[] = [];
      const ask = askThrough(connection, redactor, signal);
      const how = { mode: 'semantic', normaliser: DEFAULT_NORMALISER } as const;
      for await (const one of playPins(pins, ask, how, environment)) {
        if (signal.aborted) break;
        answered.push(one);
      }
      if (pins.length === 0) return [{ ...NO_PINS, message: `${file.shown} has no calls, so it tests nothing.` }];
      return (await withoutGone(answered, connection)).flatMap(findingsOf);
    },
  };
}

const RULES: Readonly<Record<PinVerdict, Pick<CheckFinding, 'severity' | 'title' | 'advice'> | undefined>> = {
  same: undefined,
  changed: {
    severity: 'error',
    title: 'Pinned call with another answer',
    advice: 'Repair the server, or accept the answer with `mcp-inspect test --update`.',
  },
  broken: {
    severity: 'error',
    title: 'Pinned call without its result',
    advice: 'Repair the server, or accept the answer with `mcp-inspect test --update`.',
  },
  skipped: {
    severity: 'error',
    title: 'Pinned call that can’t be sent',
    advice: 'Repair the call that saves the value, or set the variable.',
  },
  new: {
    severity: 'info',
    title: 'Pinned call without an accepted answer',
    advice: 'Accept its answer with `mcp-inspect test --update`.',
  },
};

const NO_PINS: Omit<CheckFinding, 'message'> = {
  rule: 'pin-missing',
  severity: 'error',
  title: 'Pins file without calls',
  path: undefined,
  frames: [],
  spec: undefined,
  advice: 'Add calls: `mcp-inspect test --add RECORDING` prints a file with those of a recording.',
};

function findingsOf(one: PlayedPin): readonly CheckFinding[] {
  const { pin, verdict, why } = one;
  const rule = RULES[verdict];
  if (!rule) return [];
  const changes = [...(why === undefined ? [] : [why]), ...changeTexts(one)];
  const more = changes.length > MOST_CHANGES ? ` and ${changes.length - MOST_CHANGES} more` : '';
  const message = changes.length === 0 ? rule.title : `${changes.slice(0, MOST_CHANGES).join('; ')}${more}`;
  return [
    {
      rule: `pin-${verdict}`,
      ...rule,
      message: `${pin.name}: ${message}`,
      path: undefined,
      frames: [],
      spec: undefined,
    },
  ];
}
