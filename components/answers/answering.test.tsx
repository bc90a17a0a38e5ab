import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerForm, type Answering } from './answering';

beforeEach(() => void vi.stubGlobal('navigator', { platform: 'Linux' }));
afterEach(() => void vi.unstubAllGlobals());

const nothing = () => {};
const draw = (state: Partial<Answering>, blocked?: string) =>
  renderToStaticMarkup(
    <AnswerForm
      answering={{
        ...{ waits: true, busy: false, answer: nothing, giveUp: nothing, failure: undefined },
        ...{ mayStand: false, inline: false, ...state },
      }}
      main={{ label: 'Accept', run: nothing, always: 'Always accept' }}
      others={[{ label: 'Decline', title: 'no', run: nothing }]}
      blocked={blocked}
    >
      {null}
    </AnswerForm>,
  );

test('disables all answers while one is being sent', () => {
  expect(draw({})).not.toContain('aria-disabled="true"');
  expect(draw({ busy: true }).match(/<button[^>]* aria-disabled="true"/g)).toHaveLength(3);
});

test('blocks only the main answer, and offers a standing answer only where one is allowed', () => {
  expect(draw({}, 'Not JSON').match(/aria-disabled="true"/g)).toHaveLength(1);
  expect(draw({})).not.toContain('Always ▾');
  expect(draw({ mayStand: true })).toContain('Always ▾');
  expect(draw({ mayStand: true, waits: false })).not.toContain('<button');
});
