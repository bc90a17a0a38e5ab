import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerBar } from './answering';

beforeEach(() => void vi.stubGlobal('navigator', { platform: 'Linux' }));
afterEach(() => void vi.unstubAllGlobals());

const draw = (busy: boolean) =>
  renderToStaticMarkup(
    <AnswerBar
      answering={{ waits: true, busy, answer: () => {}, giveUp: () => {}, failure: undefined }}
      action="Accept"
      onAction={() => {}}
      others={[{ label: 'Decline', title: 'no', run: () => {} }]}
    />,
  );

test('disables all answers while one is being sent', () => {
  expect(draw(false)).not.toContain('aria-disabled="true"');
  expect(draw(true).match(/<button[^>]* aria-disabled="true"/g)).toHaveLength(3);
});
