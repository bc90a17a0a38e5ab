import { useEffect, useState } from 'react';

/** How long a button says what came of its press. */
const SAID_MS = 1500;

/** What copying came to, for a moment after each press of its button; and the copying of what `text` returns. */
export function useCopy() {
  const [outcome, setOutcome] = useState<{ readonly said: string }>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (text: () => string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome({ said: 'Copied' });
    } catch {
      setOutcome({ said: 'The browser refused' });
    }
  };
  return { said: outcome?.said, copy };
}
