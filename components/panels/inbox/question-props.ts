import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state';
import type { JsonSource } from '@/lib/wire/json-source';

/** What every kind of question is drawn from. */
export interface QuestionProps {
  readonly log: Log;
  readonly question: Question;
  readonly params: JsonSource | undefined;
  /** Names what is typed for it. */
  readonly draft: string;
}
