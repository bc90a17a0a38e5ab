import type { JsonObject } from '@/lib/json/value';
import type { Failure } from '@/lib/wire/lifecycle';
import { newAsked } from './asked';

/** Something to do with a recorded session, or with a request in it, outside of the recording. */
export type Elsewhere =
  /** Sends the request to its server on a connection of our own. */
  | {
      readonly do: 'send';
      /** Id of the connection that shows the recording. */
      readonly connection: string;
      readonly method: string;
      /** JSON text without the `_meta` of the client that sent it; undefined without params. */
      readonly params: string | undefined;
      /** The tool that it calls, as listed there. */
      readonly tool: JsonObject | undefined;
    }
  /** Says how another client gets the recorded answers, or how to compare those with the server’s. */
  | { readonly do: 'replay'; readonly connection: string }
  | { readonly do: 'share'; readonly connection: string }
  /** Sending failed. */
  | { readonly do: 'failed'; readonly failure: Failure };

const ASKED = newAsked<Elsewhere>();

/** Asks the workbench for something that a message’s detail can’t do; undefined ends it. */
export const askElsewhere = ASKED.ask;

/** Returns what was asked for; undefined for nothing. */
export const useElsewhere = ASKED.use;
