import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { LAUNCH_BODY_BYTES } from '@/proxy/http/dispatch';
import { LAUNCH_GUESS_MS, LAUNCH_GUESSES, LAUNCH_RENEW_MS } from '@/proxy/http/launch-links';
import { type Fixture, startFixture } from './fixture';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.end());

const codeOf = (link: string) => link.split('#launch=')[1]!;
const launch = (body: string) => fixture.ask('POST', '/launch', { 'content-type': 'application/json' }, body);
/** Lets time pass until the answer has come, because wrong codes are answered late. */
async function redeem(code: string): Promise<number> {
  let answered = false;
  const answer = launch(JSON.stringify({ code })).finally(() => {
    answered = true;
  });
  await vi.waitUntil(() => answered || fixture.clock.waiting > 0);
  if (fixture.clock.waiting > 0) fixture.clock.advance(LAUNCH_GUESS_MS);
  return (await answer).status;
}

test('a launch link contains only the page and a code in the fragment', () => {
  expect(fixture.server.newLaunchLink()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#launch=[\w-]{22}$/);
  expect(fixture.token).toMatch(/^[\w-]{43}$/);
});

describe('attack: launch codes', () => {
  test('a code gets 401 the second time', async () => {
    const code = codeOf(fixture.server.newLaunchLink());
    expect(await redeem(code)).toBe(200);
    expect(await redeem(code)).toBe(401);
  });

  test('a code works until it expires', async () => {
    const first = codeOf(fixture.server.newLaunchLink());
    fixture.clock.advance(LIMITS.launchCodeMs - 1);
    expect(await redeem(first)).toBe(200);
    const second = codeOf(fixture.server.newLaunchLink());
    fixture.clock.advance(LIMITS.launchCodeMs);
    expect(await redeem(second)).toBe(401);
  });

  test('a newer code leaves it valid until it is used or expires', async () => {
    const first = codeOf(fixture.server.newLaunchLink());
    fixture.clock.advance(LIMITS.launchCodeMs / 2);
    const second = codeOf(fixture.server.newLaunchLink());
    expect(await redeem(first)).toBe(200);
    expect(await redeem(first)).toBe(401);
    fixture.clock.advance(LIMITS.launchCodeMs / 2);
    expect(await redeem(second)).toBe(200);
    const third = codeOf(fixture.server.newLaunchLink());
    codeOf(fixture.server.newLaunchLink());
    fixture.clock.advance(LIMITS.launchCodeMs);
    expect(await redeem(third)).toBe(401);
  });

  test('pages that ask for links don’t use up the printed one', async () => {
    const printed = codeOf(fixture.server.newLaunchLink());
    for (let ms = 0; ms < LIMITS.launchCodeMs - 1000; ms += 1000) {
      await launch('{}');
      fixture.clock.advance(1000);
    }
    expect(await redeem(printed)).toBe(200);
  });

  test('wrong guesses don’t use up the code; the terminal says so once', async () => {
    const code = codeOf(fixture.server.newLaunchLink());
    for (let i = 0; i < LAUNCH_GUESSES + 5; i++) expect(await redeem(`${code}${i}`)).toBe(401);
    expect(fixture.notes.filter((note) => note.includes('guessing launch codes'))).toHaveLength(1);
    expect(await redeem(code)).toBe(200);
  });

  test('a wrong guess is answered only after LAUNCH_GUESS_MS, a right one at once', async () => {
    const code = codeOf(fixture.server.newLaunchLink());
    let answered = false;
    const wrong = launch(JSON.stringify({ code: 'wrong' })).then(() => {
      answered = true;
    });
    await vi.waitUntil(() => fixture.clock.waiting > 0);
    fixture.clock.advance(LAUNCH_GUESS_MS - 1);
    expect((await launch(JSON.stringify({ code }))).status).toBe(200);
    expect(answered).toBe(false);
    fixture.clock.advance(1);
    await wrong;
  });

  test.each([
    '',
    '{',
    'null',
    '7',
    '"x"',
    '[]',
    '[{}]',
    '{"code":7}',
    '{"code":null}',
    '{"x":1}',
    '{"__proto__":{"code":"x"}}',
  ])('an invalid body gets 400: %s', async (body) => {
    expect((await launch(body)).status).toBe(400);
    expect(fixture.notes).toEqual([]);
  });

  test('a long body gets 413', async () => {
    expect((await launch(JSON.stringify({ code: 'x'.repeat(LAUNCH_BODY_BYTES) }))).status).toBe(413);
  });
});

describe('a new link', () => {
  test('is printed in the terminal, not sent to the page', async () => {
    const answer = await launch('{}');
    expect(answer.status).toBe(202);
    expect(answer.body).toBe('{}');
    expect(fixture.notes).toHaveLength(1);
    const link = /http:\S+/.exec(fixture.notes[0]!)![0];
    expect(await redeem(codeOf(link))).toBe(200);
  });

  test('is printed at most every LAUNCH_RENEW_MS, and stays valid', async () => {
    await launch('{}');
    expect((await launch('{}')).status).toBe(202);
    expect(fixture.notes).toHaveLength(1);
    expect(await redeem(codeOf(fixture.notes[0]!))).toBe(200);
    fixture.clock.advance(LAUNCH_RENEW_MS);
    await launch('{}');
    expect(fixture.notes).toHaveLength(2);
  });
});
