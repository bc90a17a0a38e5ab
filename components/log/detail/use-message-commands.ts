import { useMemo } from 'react';
import { usePins } from '@/lib/hooks/use-pins';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { similarFinder } from '@/lib/store/similar-row';
import { COMPARING, type Comparing } from './comparing';
import { useEdit } from './use-edit';
import { useResend } from './use-resend';

/** Something that is done with one message. */
export interface MessageCommand {
  /** As a menu of the message says it. */
  readonly label: string;
  /** As it is said elsewhere: a verb and the message. */
  readonly title: string;
  readonly run: () => void;
}

/**
 * What can be done with a message now, besides looking at it: sent again, edited, compared, pinned. Ask when it is wanted: the log is
 * gone through for the last one like it. `onSelect` shows the message, beside which failures are told and differences shown.
 */
export function useMessageCommands(
  log: Log,
  row: Row,
  onSelect: (seq: number) => void,
): () => readonly MessageCommand[] {
  const { pins, pin, unpin } = usePins(log);
  const { closed, resend } = useResend(log, row);
  const { edit } = useEdit(log, row);
  const { seq } = row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was before a row never changes
  const similar = useMemo(() => similarFinder(log, row), [log, seq]);
  const ours = row.channel === 'protocol' && row.direction === 'to-server' && log.isHere(seq);
  const command = (verb: string, rest: string, run: () => void): MessageCommand => ({
    label: `${verb}${rest}`,
    title: `${verb} message #${seq}${rest}`,
    run,
  });
  const compare = (comparing: Comparing) => () => {
    onSelect(seq);
    COMPARING.set(log, comparing);
  };
  return () => {
    const before = similar();
    const others = pins.filter((other) => other !== seq);
    return [
      ...(ours && row.kind === 'request' && closed === undefined
        ? [
            command('Resend', '', () => {
              onSelect(seq);
              resend();
            }),
          ]
        : []),
      ...(ours ? [command('Edit', '', edit)] : []),
      ...(before === undefined
        ? []
        : [command('Diff', ` with the last like it, #${before}`, compare({ diff: [before, seq] }))]),
      ...others.map((other) => command('Diff', ` with pinned #${other}`, compare({ diff: [other, seq] }))),
      command('Diff', ' with another row…', compare({ picking: seq })),
      pins.includes(seq)
        ? command('Unpin', '', () => unpin(seq))
        : { ...command('Pin', '', () => pin(seq)), label: 'Pin: keep it in view' },
    ];
  };
}
