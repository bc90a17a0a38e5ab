import type { Answering } from './use-answer';

/** Saying no to an elicitation: in so many words, or by choosing nothing. */
export function refusals({ answer }: Answering) {
  return [
    {
      label: 'Decline',
      title: 'Answers that you say no: {"action":"decline"}',
      run: () => answer({ result: '{"action":"decline"}' }),
    },
    {
      label: 'Cancel',
      title: 'Answers that you chose nothing: {"action":"cancel"}',
      run: () => answer({ result: '{"action":"cancel"}' }),
    },
  ];
}
