import { expect, test } from 'vitest';
import { type AppQuestion, type AppWish, answerLink, answerMessage } from './app-wishes';

/** A person who decides later, and what was listed. */
function person() {
  const asked: AppQuestion[] = [];
  const wishes: AppWish[] = [];
  let decide: (allowed: boolean) => void = () => {};
  const events = {
    mayDo: (question: AppQuestion) => {
      asked.push(question);
      return new Promise<boolean>((resolve) => {
        decide = resolve;
      });
    },
    onWish: (wish: AppWish) => void wishes.push(wish),
  };
  return { asked, wishes, events, decide: (allowed: boolean) => decide(allowed) };
}

test.each([
  'javascript:alert(1)',
  'JaVaScript:alert(1)',
  ' javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://a.example/1',
  'vscode://file/etc/passwd',
  '/relative',
  'no url',
  '',
])('a link to %j is refused at once', async (url) => {
  const { asked, wishes, events } = person();
  expect(await answerLink(url, events)).toEqual({ isError: true });
  expect(asked).toEqual([]);
  expect(wishes).toEqual([{ kind: 'link', text: url, refused: 'its scheme is not http, https or mailto' }]);
});

test.each([
  [true, {}],
  [false, { isError: true }],
])('a link and a message wait for the decision %s', async (allowed, answer) => {
  for (const ask of [
    (events: Parameters<typeof answerLink>[1]) => answerLink('https://a.example/', events),
    (events: Parameters<typeof answerLink>[1]) => answerMessage([{ type: 'text', text: 'hello' }], events),
  ]) {
    const { asked, wishes, events, decide } = person();
    const answered = ask(events);
    expect(asked).toHaveLength(1);
    expect(wishes).toEqual([]);
    decide(allowed);
    expect(await answered).toEqual(answer);
    expect(wishes).toEqual([allowed ? asked[0] : { ...asked[0], refused: 'by you' }]);
  }
});
