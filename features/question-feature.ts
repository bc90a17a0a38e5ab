import type { ComponentType } from 'react';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state/state';

/** A sampling request, and the reply to it that somebody writes. */
export interface ReplyProps {
  readonly log: Log;
  readonly question: Question;
  /** JSON text of the person's copy of the params; undefined if those of the server are used. */
  readonly copy: string | undefined;
  /** The question can be answered. */
  readonly waits: boolean;
  /** The text of the reply so far, and the one that nobody has changed. */
  readonly reply: string;
  readonly untouched: string;
  /** Puts a text in the place of the reply. */
  readonly onFill: (text: string) => void;
}

/** Additions of a feature to the questions of servers. */
export interface QuestionFeature {
  /** An entry of the Inbox: its key in the address. */
  readonly key: string;
  readonly title: string;
  /** Returns what its entry says of a connection; undefined where it has none. */
  readonly useEntry: (connection: string) => string | undefined;
  readonly Entry: ComponentType<{ readonly log: Log }>;
  /** Writes the reply to a sampling request. */
  readonly Reply: ComponentType<ReplyProps>;
}
