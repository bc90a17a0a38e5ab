import { useState } from 'react';
import { requestNewLink } from '@/lib/hooks/use-launch';
import type { Failure } from '@/lib/wire/lifecycle';

/** Has the terminal print a new launch link, and tells how far that is. */
export function useNewLink(): {
  readonly asked: 'no' | 'asking' | 'printed';
  readonly problem: Failure | undefined;
  readonly ask: () => void;
} {
  const [asked, setAsked] = useState<'no' | 'asking' | 'printed'>('no');
  const [problem, setProblem] = useState<Failure>();
  const ask = async () => {
    setAsked('asking');
    setProblem(undefined);
    try {
      await requestNewLink();
      setAsked('printed');
    } catch (error) {
      setProblem(error as Failure);
      setAsked('no');
    }
  };
  return { asked, problem, ask: () => void ask() };
}
