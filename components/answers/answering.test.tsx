import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { got, logOf } from '@/lib/store/test-frames';
import { AnswerForm, lateResponse, type PendingAnswer } from './answering';

beforeEach(() => void vi.stubGlobal('navigator', { platform: 'Linux' }));
afterEach(() => void vi.unstubAllGlobals());

const nothing = () => {};
const draw = (state: Partial<PendingAnswer>, blocked?: string) =>
  renderToStaticMarkup(
    <AnswerForm
      answering={{
        waits: true,
        busy: false,
        answer: nothing,
        giveUp: nothing,
        failure: undefined,
        over: undefined,
        sentSeq: undefined,
        mayStand: false,
        inline: false,
        ...state,
      }}
      main={{ label: 'Accept', run: nothing, always: 'Always accept' }}
      others={[{ label: 'Decline', title: 'no', run: nothing }]}
      blocked={blocked}
      draft={{ text: 'half', isSendable: true }}
      sendAnyway={nothing}
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
  expect(draw({})).not.toContain('Always answer like this');
  expect(draw({ mayStand: true })).toContain('Always answer like this');
  expect(draw({ mayStand: true, waits: false })).not.toContain('<button');
});

test('keeps its buttons when the question is gone, and offers the draft', () => {
  const over = {
    sentence: 'The server withdrew this question after 6 s',
    canSend: true,
    isSudden: true,
    isTyped: true,
  };
  const gone = draw({ waits: false, over, mayStand: true });
  expect(gone).toContain('The server withdrew this question after 6 s');
  expect(gone.match(/<button[^>]* aria-disabled="true"[^>]*>[^<]*/g)?.map((button) => button.split('>')[1])).toEqual([
    'Accept',
    'Decline',
    'Cancel the call',
  ]);
  expect(gone).toContain('Copy');
  expect(gone).toContain('Send anyway');
  expect(gone).not.toContain('Always answer like this');
  expect(draw({ waits: false, over: { ...over, canSend: false } })).not.toContain('Send anyway');
  const sent = draw({ waits: false, over, sentSeq: 12 });
  expect(sent).toContain('#12');
  expect(sent).not.toContain('Send anyway');
});

test('a late response keeps every digit of the id', () => {
  const log = logOf(got('{"jsonrpc":"2.0","id":9007199254740993,"method":"elicitation/create","params":{}}'));
  const question = log.state.inbox.waiting[0]!;
  expect(lateResponse(log, question, { result: '{"action":"accept"}' })).toBe(
    '{"jsonrpc":"2.0","id":9007199254740993,"result":{"action":"accept"}}',
  );
  expect(lateResponse(log, question, { error: { code: -1, message: 'no' } })).toContain(
    '"id":9007199254740993,"error":{"code":-1,"message":"no"}',
  );
});
