import { expect, test } from 'vitest';
import { FocusOrigin, SETTLE_MS } from './focus-origin';

const FIELD = { name: 'field' };
const LOG = { name: 'log' };
const DIALOG = { name: 'dialog' };

function started() {
  const clock = { now: 5000 };
  const origin = new FocusOrigin(() => clock.now);
  const person = (act: 'place' | 'command', moves: () => void) => {
    origin.act(act);
    moves();
    origin.rest();
  };
  return { clock, origin, person };
}

test('a page that was just opened is settled', () => {
  expect(started().origin.isSettled).toBe(true);
});

test('a focus that a person moved is settled at once', () => {
  const { origin, person } = started();
  person('place', () => origin.moved(LOG));
  expect(origin.isSettled).toBe(true);
});

test('a field that disappears leaves the focus to nobody, however long ago', () => {
  const { clock, origin, person } = started();
  person('place', () => origin.moved(FIELD));
  origin.moved(undefined);
  expect(origin.isSettled).toBe(false);
  clock.now += 60_000;
  expect(origin.isSettled).toBe(false);
});

test('a person who then puts the focus on the log still waits a second after our move', () => {
  const { clock, origin, person } = started();
  person('place', () => origin.moved(FIELD));
  origin.moved(undefined);
  clock.now += 400;
  person('place', () => origin.moved(LOG));
  expect(origin.isSettled).toBe(false);
  clock.now += SETTLE_MS - 401;
  expect(origin.isSettled).toBe(false);
  clock.now += 1;
  expect(origin.isSettled).toBe(true);
});

test('a click where the focus is already makes it the person’s', () => {
  const { clock, origin } = started();
  origin.moved(LOG, { isOurs: true });
  clock.now += SETTLE_MS;
  expect(origin.isSettled).toBe(false);
  origin.confirm();
  expect(origin.isSettled).toBe(true);
});

test('a command may move the focus to the log, but not lose it to the body', () => {
  const { clock, origin, person } = started();
  person('place', () => origin.moved(FIELD));
  person('command', () => origin.moved(LOG));
  expect(origin.isSettled).toBe(true);
  person('place', () => origin.moved(FIELD));
  person('command', () => origin.moved(undefined));
  clock.now += SETTLE_MS;
  expect(origin.isSettled).toBe(false);
});

test('an event about the element that has the focus changes nothing, as when the window comes back', () => {
  const { origin, person } = started();
  person('place', () => origin.moved(LOG));
  origin.moved(LOG);
  expect(origin.isSettled).toBe(true);
});

test('a dialog that the person closes gives back what they had, at once', () => {
  const { clock, origin, person } = started();
  person('place', () => origin.moved(LOG));
  origin.moved(DIALOG, { modal: true });
  clock.now += 5 * SETTLE_MS;
  // Esc closes it a moment later.
  person('place', () => {});
  clock.now += 50;
  origin.moved(LOG);
  expect(origin.isSettled).toBe(true);
});

test('a dialog that opens late, and is closed quickly, leaves the keys as they were', () => {
  const { origin } = started();
  origin.moved(DIALOG, { modal: true, isOurs: true });
  origin.act('place');
  origin.rest();
  origin.moved(undefined);
  expect(origin.isSettled).toBe(true);
});

test('a dialog that closes by itself gives back what the person had, after a second', () => {
  const { clock, origin, person } = started();
  person('place', () => origin.moved(LOG));
  origin.moved(DIALOG, { modal: true });
  origin.moved(FIELD, { modal: true });
  clock.now += SETTLE_MS;
  origin.moved(LOG);
  expect(origin.isSettled).toBe(false);
  clock.now += SETTLE_MS;
  expect(origin.isSettled).toBe(true);
});

test('a closed dialog does not give the log to somebody who was in a field', () => {
  const { clock, origin, person } = started();
  person('place', () => origin.moved(FIELD));
  origin.moved(DIALOG, { modal: true });
  origin.moved(LOG);
  clock.now += SETTLE_MS;
  expect(origin.isSettled).toBe(false);
});

test('a screen reader moves the focus without an event of the person', () => {
  const { origin } = started();
  origin.moved(LOG);
  expect(origin.isSettled).toBe(true);
  origin.moved(FIELD, { isOurs: true });
  expect(origin.isSettled).toBe(false);
});

test('a focus that mcp-inspect moved is new for a second', () => {
  const { clock, origin } = started();
  expect(origin.isJustMoved).toBe(false);
  origin.moved({}, { isOurs: true });
  expect(origin.isJustMoved).toBe(true);
  clock.now += SETTLE_MS;
  expect(origin.isJustMoved).toBe(false);
});

test('a focus that moved because its element is gone is recovered for a second, or until the person moves it', () => {
  const { clock, origin, person } = started();
  const lose = () => {
    origin.moved(FIELD, { isOurs: true });
    origin.recovered();
  };
  lose();
  expect(origin.isRecovered).toBe(true);
  clock.now += SETTLE_MS;
  expect(origin.isRecovered).toBe(false);
  lose();
  person('place', () => origin.moved(LOG));
  expect(origin.isRecovered).toBe(false);
  // Somebody who removes an element knows where the focus goes.
  person('command', lose);
  expect(origin.isRecovered).toBe(false);
});

test('while a form is awaited, nothing is settled', () => {
  const { clock, origin } = started();
  origin.willMove();
  expect(origin.isSettled).toBe(false);
  clock.now += SETTLE_MS;
  expect(origin.isSettled).toBe(true);
});
