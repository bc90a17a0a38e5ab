import { type FormEvent, useEffect, useId, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { patternFinder } from '@/lib/redact/extra-patterns';
import type { ExtraPattern } from '@/lib/redact/findings';
import type { ReviewResult } from '@/lib/sharing/share-job';
import { countOf } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';

/** Adds texts to mask that were not detected. */
export function MaskPatterns({
  patterns,
  places,
  onPatterns,
}: {
  readonly patterns: readonly string[];
  /** Number of places each occurs in; absent while it is counted. */
  readonly places: ReadonlyMap<string, number>;
  readonly onPatterns: (patterns: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string>();
  const id = useId();
  const wrongId = useId();
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text === '') return;
    const next = patterns.includes(text) ? patterns : [...patterns, text];
    const fault = patternFault(next);
    setWrong(fault);
    if (fault !== undefined) return;
    onPatterns(next);
    setText('');
  };
  return (
    <form onSubmit={add} className="flex flex-wrap items-center gap-1.5">
      <label htmlFor={id}>Also mask</label>
      <span className="w-64">
        <TextInput
          id={id}
          mono
          value={text}
          onChange={(value) => {
            setText(value);
            setWrong(undefined);
          }}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : wrongId}
          placeholder="text, or /regular expression/"
        />
      </span>
      <Button type="submit" size="small" disabled={text === ''}>
        Add
      </Button>
      {wrong !== undefined && (
        <p id={wrongId} role="alert" className="basis-full text-error">
          {visibleText(wrong)}
        </p>
      )}
      {patterns.map((pattern) => (
        <span key={pattern} className="inline-flex h-6 items-center gap-0.5 rounded border border-line pl-1.5">
          <code className="max-w-60 truncate font-mono text-wire">{pattern}</code>
          <span className="px-1 text-muted">{placesText(places.get(pattern))}</span>
          <IconButton
            label={`Don’t mask ${pattern}`}
            onClick={() => onPatterns(patterns.filter((other) => other !== pattern))}
          >
            <Icon name="close" />
          </IconButton>
        </span>
      ))}
    </form>
  );
}

function placesText(places: number | undefined): string {
  if (places === undefined) return '…';
  return countOf(places, 'place');
}

/** Counts where each pattern would mask shared text. Patterns still being counted are absent. */
export function usePatternPlaces(
  patterns: readonly string[],
  reviewed: ReviewResult | undefined,
  count: (pattern: ExtraPattern, signal: AbortSignal) => Promise<number | undefined>,
): ReadonlyMap<string, number> {
  const [counted, setCounted] = useState({ reviewed, places: NO_PLACES });
  const places = counted.reviewed === reviewed ? counted.places : NO_PLACES;
  const next = reviewed && patterns.find((text) => !places.has(text));
  useEffect(() => {
    if (next === undefined) return;
    const control = new AbortController();
    void count(patternOf(next), control.signal).then((found) => {
      if (found === undefined || control.signal.aborted) return;
      setCounted((before) => {
        const known = before.reviewed === reviewed ? before.places : NO_PLACES;
        return { reviewed, places: new Map(known).set(next, found) };
      });
    });
    return () => control.abort();
  }, [next, reviewed, count]);
  return places;
}

const NO_PLACES: ReadonlyMap<string, number> = new Map();

/** Returns the pattern typed: `/…/` is a regular expression, anything else is literal. */
export function patternOf(text: string): ExtraPattern {
  const [, regex] = /^\/(.+)\/$/s.exec(text) ?? [];
  return regex === undefined ? { literal: text } : { regex };
}

/** Returns why these patterns can't be used, and what to do; undefined if they can. */
export function patternFault(texts: readonly string[]): string | undefined {
  try {
    patternFinder(texts.map(patternOf));
    return undefined;
  } catch (error) {
    if (isFailure(error)) return `${error.message} ${error.advice}`;
    throw error;
  }
}
