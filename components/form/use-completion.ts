import { useEffect, useRef, useState } from 'react';
import type { Completion } from '@/components/exchange/use-complete';
import { LIMITS } from '@/lib/wire/limits';
import { useForm } from './form-context';

/** What the server completes for one field: asked a moment after the last key, answers to older questions dropped. */
export function useCompletion(name: string): {
  readonly completion: Completion | undefined;
  readonly state: 'idle' | 'asking' | 'failed';
  readonly ask: (text: string) => void;
} {
  const { complete } = useForm();
  const [answer, setAnswer] = useState<Completion>();
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle');
  const question = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (text: string) => {
    if (complete === undefined) return;
    question.current += 1;
    const mine = question.current;
    const settle = (completion: Completion | undefined) => {
      if (question.current !== mine) return;
      setAnswer(completion);
      setState(completion === undefined ? 'failed' : 'idle');
    };
    clearTimeout(timer.current);
    setState('asking');
    timer.current = setTimeout(() => {
      complete(name, text).then(settle, () => settle(undefined));
    }, LIMITS.completionMs);
  };
  return { completion: answer, state, ask };
}
