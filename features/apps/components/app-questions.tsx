import { useCallback, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { OpenLinkButton } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonObject } from '@/lib/json/value';
import type { AppQuestion } from './app-wishes';

/** A call, link or message of an app that waits for consent. */
type NewQuestion = { readonly kind: 'call'; readonly tool: JsonObject } | AppQuestion;
type Asked = NewQuestion & { readonly number: number; readonly answer: (allowed: boolean) => void };

/** Questions that wait. An app can ask without end, so further ones are refused. */
const MOST_ASKED = 10;

/** Returns the questions that wait, oldest first, and a function that asks another one. */
export function useQuestions(): readonly [readonly Asked[], (question: NewQuestion) => Promise<boolean>] {
  const [asked, setAsked] = useState<readonly Asked[]>([]);
  const waiting = useRef(0);
  const count = useRef(0);
  const ask = useCallback((question: NewQuestion): Promise<boolean> => {
    if (waiting.current >= MOST_ASKED) return Promise.resolve(false);
    waiting.current++;
    const number = ++count.current;
    return new Promise((resolve) => {
      const answer = (allowed: boolean): void => {
        waiting.current--;
        setAsked((all) => all.filter((one) => one.number !== number));
        resolve(allowed);
      };
      setAsked((all) => [...all, { ...question, number, answer }]);
    });
  }, []);
  return [asked, ask];
}

/** One question of an app, with the buttons that answer it. */
export function QuestionView({ asked }: { readonly asked: Asked }) {
  const { answer } = asked;
  return (
    <div role="alert" className="flex min-w-0 flex-wrap items-center gap-2 rounded border border-warn p-2">
      <span className="min-w-0 break-words">
        {asked.kind === 'call' && (
          <>
            The app calls <UntrustedText text={String(asked.tool.name)} limit={200} className="font-mono" />, which the
            server declares destructive.
          </>
        )}
        {asked.kind === 'link' && (
          <>
            The app asks to open <UntrustedText text={asked.text} limit={300} className="font-mono" />
          </>
        )}
        {asked.kind === 'message' && (
          <>
            The app sends to the chat: <UntrustedText text={asked.text} limit={2000} />
          </>
        )}
      </span>
      {asked.kind === 'link' ? (
        <OpenLinkButton address={asked.text} onOpen={() => answer(true)} />
      ) : (
        <Button size="small" onClick={() => answer(true)}>
          {asked.kind === 'call' ? 'Allow' : 'Accept'}
        </Button>
      )}
      <Button size="small" onClick={() => answer(false)}>
        Refuse
      </Button>
    </div>
  );
}
